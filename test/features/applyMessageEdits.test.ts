import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyMessageEdits } from '../../features/chat/applyMessageEdits.ts'
import { arrangeMessages, dropMessage, patchMessage } from '../../features/chat/editMessages.ts'
import type { ChatMessageInfo } from '../../features/chat/messageEdits.ts'

const info = (id: string, content = id): ChatMessageInfo => ({
  id,
  status: 'success',
  message: { role: 'assistant', content },
})
const ids = (messages: readonly ChatMessageInfo[]) => messages.map(({ id }) => id)
const base = [info('a'), info('b'), info('c')]

describe('applyMessageEdits', () => {
  it('gives the messages themselves where nothing was edited', () => {
    expect(applyMessageEdits(base, undefined)).toBe(base)
  })

  it('lays patches, additions and removals over the messages, and lets later ones follow', () => {
    const added = info('mine')
    let edits = arrangeMessages(base, [base[2]!, added, base[0]!])
    edits = patchMessage(edits, 'c', { status: 'error' })
    const shown = applyMessageEdits([...base, info('d')], edits)
    expect(ids(shown)).toEqual(['c', 'mine', 'a', 'd'])
    expect(shown[0]).toMatchObject({ status: 'error', message: { content: 'c' } })
    expect(shown[1]).toBe(added)
    expect(shown[2]).toBe(base[0])
    expect(ids(applyMessageEdits(base, dropMessage(edits, 'mine')))).toEqual(['c', 'a'])
  })

  it('lets what a patch leaves out stream on, and gives one copy for one message', () => {
    const edits = patchMessage(undefined, 'a', { status: 'abort' })
    const grown = info('a', 'a and on')
    expect(applyMessageEdits([grown], edits)[0]).toMatchObject({ status: 'abort', message: { content: 'a and on' } })
    expect(applyMessageEdits([grown], edits)[0]).toBe(applyMessageEdits([grown], edits)[0])
  })

  it('takes back an earlier edit when the message is put in as the state has it', () => {
    const patched = patchMessage(undefined, 'a', { status: 'error' })
    const [shown] = applyMessageEdits(base, patched)
    expect(applyMessageEdits(base, arrangeMessages(base, [shown!]))[0]!.status).toBe('error')
    expect(applyMessageEdits(base, arrangeMessages(base, [base[0]!]))[0]).toBe(base[0])
  })

  it('shows an added message once, whatever its id, and keeps it when the state names it as well', () => {
    const edits = arrangeMessages(base, [...base, info('__proto__'), info('__proto__')])
    expect(ids(applyMessageEdits(base, edits))).toEqual(['a', 'b', 'c', '__proto__'])
    expect(applyMessageEdits([...base, info('__proto__', 'its own')], edits).at(-1)!.message.content).toBe('its own')
  })

  it('shows just what was set, for any arrangement of any messages', () => {
    const someIds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'constructor'))
    fc.assert(
      fc.property(someIds, someIds, (known, wanted) => {
        const messages = known.map((id) => info(id))
        const next = wanted.map((id) => messages.find((each) => each.id === id) ?? info(id))
        expect(applyMessageEdits(messages, arrangeMessages(messages, next))).toEqual(next)
      }),
    )
  })
})
