import { createMemoryAiSdkFiles } from 'redux-agent/adapters/ai-sdk'
import { describe, expect, it, vi } from 'vitest'

describe('a file that is kept beside the state', () => {
  const url = `data:image/png;base64,${btoa('x'.repeat(60))}`

  it('is put once, where a replay brings it again', () => {
    const files = createMemoryAiSdkFiles()
    expect(files.put(url, { mediaType: 'image/png' })).toBe(files.put(url, { mediaType: 'image/png' }))
    for (const odd of ['data:text/plain,hi', 'data:image/png;base64,%']) {
      const reference = files.put(odd, { mediaType: 'text/plain' })
      expect(reference).toMatch(/^ai-sdk-file:/)
      expect(files.get(reference)).toBe(odd)
    }
    expect(files.get('blob:other')).toBeUndefined()
  })

  it('that was used longest ago makes room for new ones, its address too', () => {
    const revoke = vi.spyOn(URL, 'revokeObjectURL')
    const files = createMemoryAiSdkFiles({ maxSize: 3 * url.length })
    const [first, second, third] = ['a', 'b', 'c'].map((tail) => `data:image/png;base64,${btoa(tail.repeat(60))}`)
    const put = (file: string | undefined) => files.put(file!, { mediaType: 'image/png' })
    const references = [first, second, third].map(put)
    // What is put again or sent on has been used; what is known takes no more room.
    expect(put(first)).toBe(references[0])
    expect(files.get(references[1]!)).toBe(second)
    const latest = put(url)
    expect([...references, latest].map(files.get)).toEqual([first, second, undefined, url])
    expect(revoke.mock.calls).toEqual([[references[2]]])
    // One that is larger than all the room is kept alone, and what is gone may come again.
    const large = put(`data:text/plain,${'x'.repeat(4 * url.length)}`)
    expect([...references, latest].map(files.get)).toEqual([undefined, undefined, undefined, undefined])
    expect(files.get(large)).toMatch(/^data:text/)
    expect(files.get(put(third))).toBe(third)
    expect(files.get(large)).toBeUndefined()
  })

  it('is not taken for one of a page before, whose name a restored state still holds', () => {
    const before = createMemoryAiSdkFiles().put('data:text/plain,old', { mediaType: 'text/plain' })
    const files = createMemoryAiSdkFiles()
    files.put('data:text/plain,new', { mediaType: 'text/plain' })
    expect(files.get(before)).toBeUndefined()
  })
})
