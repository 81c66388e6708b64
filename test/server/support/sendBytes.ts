import { readAnswer } from './readAnswer.ts'

/** Sends bytes that no HTTP client would send, and gives the status of the answer. */
export async function sendBytes(url: string, bytes: string): Promise<number> {
  return (await readAnswer(url, bytes)).status
}
