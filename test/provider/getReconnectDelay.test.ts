import { getReconnectDelay } from 'redux-agent'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('getReconnectDelay', () => {
  it('doubles its bound with each attempt up to maxDelay', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => getReconnectDelay({ attempt, random: () => 1 }))
    expect(delays).toEqual([500, 1000, 2000, 4000, 5000, 5000])
  })

  it('spreads over the whole of its bound', () => {
    expect(getReconnectDelay({ attempt: 3, random: () => 0 })).toBe(0)
    expect(getReconnectDelay({ attempt: 3, random: () => 0.25 })).toBe(500)
  })

  it('is no shorter than what the server asked for, and no longer than a minute for its sake', () => {
    expect(getReconnectDelay({ attempt: 1, retryAfter: 7000, random: () => 0 })).toBe(7000)
    expect(getReconnectDelay({ attempt: 1, retryAfter: 3_600_000, random: () => 0 })).toBe(60_000)
  })

  it('is never longer than a timer can count, which would ring at once', () => {
    const options = { attempt: 5000, maxDelay: Infinity, random: () => 1 }
    expect(getReconnectDelay(options)).toBe(2 ** 31 - 1)
    expect(getReconnectDelay({ ...options, attempt: 1, initialDelay: Infinity })).toBe(2 ** 31 - 1)
  })

  it('stays within its bounds for every attempt and every random number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5000 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        const delay = getReconnectDelay({ attempt, initialDelay: 250, maxDelay: 10_000, random: () => random })
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(10_000)
      }),
    )
  })
})
