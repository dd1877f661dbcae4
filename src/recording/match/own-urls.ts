import type { SeenAt } from '../../http/headers.ts'
import { createUrlMap } from '../../http/url-map.ts'
import { createMemo } from '../../memo.ts'

/** Puts one URL of a server in place of the others that it is called by. */
export interface Naming {
  /** @param text one letter a byte */
  readonly text: (text: string) => string
  readonly bytes: (bytes: Buffer) => Buffer
}

const named = createMemo<Naming>(100)

/**
 * A request's body as the server would know it: with the server's own URL in place of that of the gateway, by which its
 * client calls it. So a request is found again that was recorded by a gateway with another name or port.
 * @param host the `Host` of the request
 * @param origin the server's; absent where it is not known
 */
export function namingServer(bytes: Buffer, host: string | undefined, origin: string | undefined): Buffer {
  if (host === undefined || origin === undefined || !bytes.includes(host)) return bytes
  const key = `${host} ${origin}`
  const naming = named.get(key) ?? namingOf(isHostOf(host, origin) ? [] : [`http://${host}`], origin)
  named.set(key, naming)
  return naming.bytes(bytes)
}

/** Has requests name a server by the first of its URLs. */
export interface OwnNaming {
  /** For requests that were recorded. */
  readonly recorded: Naming
  /** For the requests of a client that sees the gateway in the server's place. */
  seenAt(this: void, seen: SeenAt): Naming
}

/**
 * Requests as routes know them, whatever the URL of the gateway that recorded or answers them.
 * @param urls what the server is called by, in its answers and in recorded requests
 * @returns undefined where there are none
 */
export function createOwnNaming(urls: readonly string[]): OwnNaming | undefined {
  const [own] = urls
  if (own === undefined) return undefined
  const known = createMemo<Naming>(100)
  return {
    recorded: namingOf(urls, own),
    seenAt({ scheme, host, prefix }) {
      const seen = `${scheme}://${host}${prefix}`
      const naming = known.get(seen) ?? namingOf([seen, ...urls], own)
      known.set(seen, naming)
      return naming
    },
  }
}

function isHostOf(host: string, origin: string): boolean {
  const url = `http://${host}`
  return !URL.canParse(url) || new URL(url).host === new URL(origin).host
}

function namingOf(urls: readonly string[], to: string): Naming {
  const from = urls.flatMap(ofBothSchemes).filter((url) => URL.canParse(url) && url !== to)
  if (from.length === 0) return { text: (text) => text, bytes: (bytes) => bytes }
  const map = createUrlMap(from.map((url) => ({ from: url, to })))
  const hosts = from.map((url) => new URL(url).hostname)
  const encoded = new RegExp(`(?:${from.map(inQuery).join('|')})${NOT_OVER}`, 'gi')
  const text = (given: string): string => map.text(given).replace(encoded, encodeURIComponent(to))
  return {
    text,
    bytes(bytes) {
      if (!hosts.some((host) => bytes.includes(host))) return bytes
      return Buffer.from(text(bytes.toString('latin1')), 'latin1')
    },
  }
}

/** What may not follow a URL in a query or a form, since its host or path would be another. */
const NOT_OVER = String.raw`(?![\w.~-]|%3A\d|%40)`

function inQuery(url: string): string {
  return encodeURIComponent(url).replace(/[.*()]/g, String.raw`\$&`)
}

function ofBothSchemes(url: string): readonly string[] {
  const rest = url.replace(/^https?:/, '')
  return [`http:${rest}`, `https:${rest}`]
}
