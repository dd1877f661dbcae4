import type { Answer } from './answerer.ts'

const ORIGIN = 'http://localhost'

// Statuses whose answers have no body (Fetch standard, "null body status").
const NULL_BODY = new Set([101, 204, 205, 304])

/** A `fetch` that asks an adapter in process. The origin of a URL does not matter; a path may stand alone. */
export function createFetch(answer: Answer): typeof fetch {
  return async (input, init) => {
    const target = typeof input === 'string' ? new URL(input, ORIGIN) : input
    const request = new Request(target, withDuplex(init))
    request.signal.throwIfAborted()
    const { pathname, search } = new URL(request.url)
    const answering = answer({
      method: request.method,
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: Buffer.from(await request.arrayBuffer()),
      signal: request.signal,
    })
    const { status, headers, body } = await untilAborted(request.signal, answering)
    const content =
      NULL_BODY.has(status) || body.length === 0
        ? null
        : typeof body === 'string'
          ? body
          : new Uint8Array(body)
    const response = new Response(content, { status, headers })
    return Object.defineProperty(response, 'url', { value: request.url })
  }
}

async function untilAborted<Value>(signal: AbortSignal, value: Promise<Value>): Promise<Value> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
  return Promise.race([value, aborted])
}

// A stream as body needs the member that says so, which callers forget.
function withDuplex(init: RequestInit | undefined): RequestInit {
  return { ...init, ...(init?.body !== undefined && init.body !== null && { duplex: 'half' as const }) }
}
