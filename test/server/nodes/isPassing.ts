/**
 * Whether a status only says that a node, or its database, is not there at the moment: 503, and 408 where it was frozen
 * while the request came in.
 */
export const isPassing = (status: number) => status === 503 || status === 408
