/**
 * A set of ids as plain JSON: a leaf lists ids, a branch holds 16 trees by the next four bits of the id's hash. Adding
 * copies one path, so that its cost is bounded however many ids there are; looking up is exact.
 */
export type IdTree = readonly string[] | readonly IdTree[]
