/** What a person asks for, as far as the local model understands it. */
export type Intent =
  | { kind: 'remember'; text: string }
  | { kind: 'recall' }
  | { kind: 'publish'; target: string }
  | { kind: 'write'; topic: string }
  | { kind: 'add'; topic: string; target: string }
  | { kind: 'shorten'; target: string }
  | { kind: 'rename'; target: string; title: string }
  | { kind: 'replace'; target: string; from: string; to: string }
  | { kind: 'choose'; target: string }
  | { kind: 'list' }
  | { kind: 'compare'; one: string; other: string }
  | { kind: 'ask'; question: string }
  | { kind: 'unknown' }

/** A way to say something; the groups of the pattern are named after the fields of the intent. */
export interface IntentRule {
  kind: Intent['kind']
  pattern: RegExp
}
