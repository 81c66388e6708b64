/** What goes wrong with one response's body. */
export interface FetchFaults {
  /** Breaks the connection once this many bytes of the body were delivered. */
  cutAfterBytes?: number | undefined
  /** Ends the body there as if it were complete, instead of breaking it. */
  endSilently?: boolean | undefined
  /** Delivers the body in pieces of this many bytes. */
  pieceSize?: number | undefined
}

/**
 * Wraps `fetch` so that bodies are cut and split as planned, byte by byte if need be.
 *
 * @example
 * const fetch = createFaultyFetch(globalThis.fetch, (index) => (index === 0 ? { cutAfterBytes: 120 } : {}))
 */
export function createFaultyFetch(
  fetch: typeof globalThis.fetch,
  plan: (index: number) => FetchFaults,
): typeof globalThis.fetch {
  let requests = 0
  return async (...input) => {
    const faults = plan(requests)
    requests += 1
    const response = await fetch(...input)
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(withFaults(response.body, faults), { status, statusText, headers })
  }
}

function withFaults(body: ReadableStream<Uint8Array>, faults: FetchFaults): ReadableStream<Uint8Array> {
  const { cutAfterBytes = Infinity, endSilently = false, pieceSize = Infinity } = faults
  const reader = body.getReader()
  let rest = new Uint8Array()
  let left = cutAfterBytes
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (left === 0) {
          reader.cancel().catch(() => undefined)
          return endSilently ? controller.close() : controller.error(new TypeError('The body was cut by plan.'))
        }
        while (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = new Uint8Array(value)
        }
        const piece = rest.slice(0, Math.min(pieceSize, left))
        rest = rest.subarray(piece.length)
        left -= piece.length
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
