/** A time within a run as `m:ss.s`, of milliseconds; what a clock that went back gives is the beginning. */
export function formatOffset(milliseconds: number): string {
  const tenths = Math.max(0, Math.floor(milliseconds / 100))
  const minutes = Math.floor(tenths / 600)
  return `${minutes}:${((tenths % 600) / 10).toFixed(1).padStart(4, '0')}`
}
