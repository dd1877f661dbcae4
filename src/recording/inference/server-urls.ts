import type { Sample } from './sample.ts'

/**
 * The base URLs that a recorded server names itself by in its answers: where it was reached, and as what its `Host`
 * header said. None for a recording of several hosts, whose clients name them.
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
      ({ response, responseHeaders }) =>
        textOf(response).includes(authority) ||
        Object.values(responseHeaders).some((value) => value.includes(authority)),
    )
  }
  return [...urls].filter(isNamed).toSorted()
}

function namedBy(origin: string, host: string | undefined): string[] {
  const url = `${new URL(origin).protocol}//${host ?? ''}`
  return host !== undefined && URL.canParse(url) ? [new URL(url).origin] : []
}
