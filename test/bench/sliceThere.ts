/**
 * What RTK's `createSlice` took there where the figures to reach were set, in microseconds an event: one event a
 * dispatch, 20,000 of them, folded plainly. What it takes here beside it says how fast the machine is just now.
 */
export const sliceThere = 11
