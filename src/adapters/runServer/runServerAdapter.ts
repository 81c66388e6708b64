/** The adapter's name, which stands in its errors. */
export const runServerAdapter = 'run-server'
