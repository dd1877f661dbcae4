import type { Sample } from './sample.ts'

/**
 * The base URLs that a recorded server is named by in its answers and in what clients send: where it was reached, and as
 * what its `Host` header said. None for a recording of several hosts, whose clients name them.
 */
export function findServerUrls(samples: readonly Sample[]): readonly string[] {
  const hosts = new Set(samples.map(({ origin }) => new URL(origin).host))
  if (hosts.size > 1) return []
  const urls = new Set(
    samples.flatMap(({ origin, headers }) => [origin, ...namedBy(origin, headers['host'])]),
  )
  const texts = new WeakMap<object, string>()
  const textOf = (body: unknown): string => {
    if (typeof body !== 'object' || body === null) return String(body)
    const known = texts.get(body) ?? JSON.stringify(body)
    texts.set(body, known)
    return known
  }
  const isNamed = (url: string): boolean => {
    const authority = url.slice(url.indexOf('//'))
    return samples.some(
      ({ query, body, response, responseHeaders }) =>
        [query, body, response].some((value) => textOf(value).includes(authority)) ||
        Object.values(responseHeaders).some((value) => value.includes(authority)),
    )
  }
  return [...urls].filter(isNamed).toSorted()
}

function namedBy(origin: string, host: string | undefined): string[] {
  if (
    host === undefined ||
    !URL.canParse(`http://${host}`) ||
    new URL(`http://${host}`).host === new URL(origin).host
  )
    return []
  // A gateway may be without TLS where the server has it.
  return [`${new URL(origin).protocol}//${host}`, `http://${host}`].map((url) => new URL(url).origin)
}
