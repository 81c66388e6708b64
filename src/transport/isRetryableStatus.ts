/** Whether a request that got this status may succeed later: the server is busy, or broken for now. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}
