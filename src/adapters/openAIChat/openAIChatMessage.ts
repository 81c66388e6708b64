/** A message as the chat wire takes it; whatever else a service reads of it passes. */
export interface OpenAIChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly [field: string]: unknown
}
