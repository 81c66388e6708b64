const sameDay = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const sameYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const otherYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })

/** The hour of a time of today, else its date; empty where it is none. */
export function formatTime(time: number | string, now = new Date()): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  if (date.toDateString() === now.toDateString()) return sameDay.format(date)
  return (date.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(date)
}
