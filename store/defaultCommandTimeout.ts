/** How long a command waits for its answer unless told otherwise, in milliseconds. */
export const defaultCommandTimeout = 10_000
