import { hashBody } from '../runs/hashBody.ts'

/** Stands for a tool with its arguments, in whatever order their keys stand. */
export function signTool(name: string, input: unknown): string {
  return hashBody({ name, input })
}
