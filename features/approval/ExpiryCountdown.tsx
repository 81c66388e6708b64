import type { AgentLocale } from '../locale/agentLocale.ts'
import { useNow } from '../view/useNow.ts'

/** The time that is left to answer; the runtime has the last word on it, as its clock may differ. */
export function ExpiryCountdown(props: {
  expiresAt: number
  locale: AgentLocale
  now?: (() => number) | undefined
}) {
  const { expiresAt, locale, now } = props
  const time = useNow({ now, isTicking: true })
  if (time === undefined) return null
  const seconds = Math.ceil((expiresAt - time) / 1000)
  return (
    <span className="agent-countdown" role="timer" data-urgent={seconds <= 30}>
      {seconds > 0 ? locale.approval.expiresIn(seconds) : locale.approval.timeIsUp}
    </span>
  )
}
