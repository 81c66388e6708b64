import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { log, replayed } from '../createCheckpointPage.ts'
import { createTabPages } from './createTabPages.ts'

describe('two tabs on one session', () => {
  it('show the same while one of them reads the stream', async () => {
    const { server, open } = createTabPages({ hangAfterEvents: [40] })
    const [first, second] = [open(), open()]
    await first.rest()
    await second.rest()
    void first.start()
    await first.rest()
    await second.rest()
    expect(first.state().lastSequenceByRun.r1).toBe(40)
    expect(second.state()).toEqual(first.state())
    expect(second.connection()).toEqual(first.connection())
    expect([first.isFollowing(), second.isFollowing()]).toEqual([false, true])
    expect(server.requests).toHaveLength(1)
  })

  it('show the same where the second one comes late', async () => {
    const { server, open } = createTabPages({ hangAfterEvents: [40] })
    const first = open()
    await first.rest()
    void first.start()
    await first.rest()
    const second = open()
    await second.opening.unwrap()
    expect(second.state()).toEqual(first.state())
    expect(second.connection()).toEqual(first.connection())
    expect(second.session()).toBe('connected')
    expect(server.requests).toHaveLength(1)
  })

  it.each(['close', 'kill'] as const)('the follower goes on by the resume alone after a %s', async (way) => {
    const { server, storage, open } = createTabPages({ hangAfterEvents: [40] })
    const [first, second] = [open(), open()]
    await first.rest()
    void first.start()
    await first.rest()
    await second.rest()
    first.tab[way]()
    await second.rest()
    expect(server.requests.slice(1)).toEqual([{ kind: 'resume', runId: 'r1', after: 40 }])
    await second.finish()
    expect(second.state()).toEqual(replayed)
    expect(second.isFollowing()).toBe(false)
    expect(second.transformed).toEqual([])
    second.hide()
    const third = open()
    await third.opening.unwrap()
    expect(third.state()).toEqual(replayed)
    expect(storage.saved.length).toBeGreaterThan(0)
  })

  it('lose nothing and ask for nothing twice, wherever the first one goes', { timeout: 600_000 }, async () => {
    for (let events = 0; events < log.length; events += 1) {
      const { server, open } = createTabPages({ hangAfterEvents: [events] })
      const [first, second] = [open(), open()]
      await first.rest(3)
      void first.start()
      await first.rest(3)
      await second.rest(3)
      expect(second.state().lastSequenceByRun.r1 ?? 0).toBe(events)
      first.tab[events % 2 === 0 ? 'kill' : 'close']()
      await second.finish()
      const [start] = server.requests
      const next = events === 0 ? start : { kind: 'resume', runId: 'r1', after: events }
      expect(server.requests).toEqual([start, next])
      if (!isDeepStrictEqual(second.state(), replayed)) expect(second.state()).toEqual(replayed)
      expect([...first.transformed, ...second.transformed]).toEqual([])
    }
  })
})
