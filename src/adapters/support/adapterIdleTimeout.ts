/**
 * How long a runtime may be silent where the app says nothing, in milliseconds. A model may think, and a tool run, for
 * minutes without a word; a server that says nothing for longer has died, and a page that waits for it would never say so.
 */
export const adapterIdleTimeout = 600_000
