import { createMemo } from '../memo.ts'
import { readHost } from '../routing/host.ts'
import { pairsOf, type FlatHeaders, type SeenAt } from './headers.ts'
import { basePathOf, createUrlMap, isBelow, type MappedUrl, type UrlMap } from './url-map.ts'

/** Where a server's URLs are, and where the gateway has them. */
export interface ServedUrl {
  /** Such as `https://api.example.com/v1`. */
  readonly url: string
  /** The path of the gateway that stands for it; `''` for all. */
  readonly at: string
  /** The host that clients have to name, where the gateway serves it for that host alone; perhaps with a port. */
  readonly host?: string | undefined
}

/** The URLs of servers as one client sees them, and those that it sends as the servers know them. */
export interface ClientUrls {
  /** For bodies of responses. */
  readonly map: UrlMap
  /** The headers of a response for the client. */
  response(headers: FlatHeaders): FlatHeaders
  /** The headers of a request for the server. */
  request(headers: FlatHeaders): FlatHeaders
}

const known = new WeakMap<ServedUrl, ReturnType<typeof createMemo<ClientUrls | undefined>>>()

/**
 * The URLs of a client that uses the gateway by its own URL.
 * @param own the server that has its request
 * @param others servers that the gateway has, too; the same list for the same `own`
 * @returns undefined where the client has not said which URL it used
 */
export function clientUrls(
  own: ServedUrl,
  others: readonly ServedUrl[],
  seen: SeenAt,
): ClientUrls | undefined {
  const memo = known.get(own) ?? createMemo<ClientUrls | undefined>()
  known.set(own, memo)
  const key = `${seen.scheme}://${seen.host}${seen.prefix}`
  const before = memo.get(key)
  if (before !== undefined) return before
  const made = isPlain(seen.host) ? create(own, others, seen) : undefined
  memo.set(key, made)
  return made
}

// What stands in a page must not end the text that it stands in.
function isPlain(host: string): boolean {
  return /^[\w.:[\]-]+$/.test(host) && readHost(host) !== undefined
}

function create(own: ServedUrl, others: readonly ServedUrl[], seen: SeenAt): ClientUrls {
  const origin = `${seen.scheme}://${seen.host}`
  const urls: MappedUrl[] = [{ from: own.url, to: `${origin}${seen.prefix}${own.at}` }]
  for (const { url, at, host = seen.host } of others) {
    if (urls.some(({ from }) => from === url) || host.startsWith('*')) continue
    urls.push({ from: url, to: `${seen.scheme}://${withPort(host, seen.host)}${seen.prefix}${at}` })
  }
  const map = createUrlMap(urls)
  const cookies: CookiePlace = {
    hosts: urls.map(({ from }) => new URL(from).hostname),
    clientHost: new URL(origin).hostname,
    from: basePathOf(own.url),
    to: basePathOf(`${origin}${seen.prefix}${own.at}`),
    losesTls: own.url.startsWith('https:') && seen.scheme === 'http',
  }
  let back: UrlMap | undefined
  return {
    map,
    response: (headers) =>
      changeValues(headers, (name, value) => {
        if (name === 'set-cookie') return cookieOf(value, cookies)
        if (name === 'location' || name === 'content-location') return map.reference(value)
        if (name === 'link')
          return value.replace(/<([^<>]*)>/g, (_, url: string) => `<${map.reference(url)}>`)
        if (name === 'refresh')
          return value.replace(REFRESH, (_, start: string, url: string) => start + map.reference(url))
        return value.includes('//') ? urlsIn(value, map) : value
      }),
    request(headers) {
      back ??= createUrlMap(urls.map(({ from, to }) => ({ from: to, to: from })))
      const { reference } = back
      return changeValues(headers, (name, value) => {
        if (name === 'origin') return value === new URL(origin).origin ? new URL(own.url).origin : value
        if (name === 'referer' || name === 'destination') return absolute(value, reference)
        if (name === 'if')
          return value.replace(/<([^<>]*)>/g, (_, url: string) => `<${absolute(url, reference)}>`)
        return value
      })
    },
  }
}

// A host has the client's port where it names none of its own.
function withPort(host: string, seen: string): string {
  const port = readHost(seen)?.port
  return readHost(host)?.port !== undefined || port === undefined ? host : `${host}:${port}`
}

// HTML, section 7.5.1 of "Speculative loading": a number, then a URL that may be quoted and named.
const REFRESH = /^(\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?["']?)(.*)$/is

function changeValues(flat: FlatHeaders, change: (name: string, value: string) => string): FlatHeaders {
  return pairsOf(flat).flatMap(([name, value]) => [name, change(name.toLowerCase(), value)])
}

// What other headers name, such as the realm of a challenge, is a URL from its first letter to its last.
function urlsIn(value: string, { reference }: UrlMap): string {
  return value.replace(/[^\s"'<>,;()]+/g, (each) => absolute(each, reference))
}

// A path is the gateway's already.
function absolute(text: string, reference: UrlMap['reference']): string {
  return text.startsWith('/') ? text : reference(text)
}

interface CookiePlace {
  readonly hosts: readonly string[]
  readonly clientHost: string
  /** The path of the server, and the one that clients see. */
  readonly from: string
  readonly to: string
  /** Whether the server has TLS, and the client has not. */
  readonly losesTls: boolean
}

/**
 * A cookie that the client takes (RFC 6265, section 5.3): without a domain that is the server's, with the path that the
 * client sees, and without what needs TLS where the client has none.
 */
function cookieOf(text: string, { hosts, clientHost, from, to, losesTls }: CookiePlace): string {
  const [pair = '', ...attributes] = text.split(';')
  // A client refuses them by their names alone.
  const isBound = /^\s*__(host|secure)-/i.test(pair)
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split(/=(.*)/s).map((part) => part.trim())
    const domain = value.replace(/^\./, '').toLowerCase()
    switch (name.toLowerCase()) {
      case 'domain':
        return !isIn(clientHost, domain) && hosts.some((host) => isIn(host, domain)) ? [] : [attribute]
      case 'path':
        return from !== to && isBelow(value, from)
          ? [` Path=${to + value.slice(from.length) || '/'}`]
          : [attribute]
      case 'secure':
      case 'partitioned':
        return losesTls && !isBound ? [] : [attribute]
      case 'samesite':
        return losesTls && !isBound && value.toLowerCase() === 'none' ? [] : [attribute]
      default:
        return [attribute]
    }
  })
  return [pair, ...kept].join(';')
}

function isIn(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}
