import { areSame } from '../memo.ts'
import { JSON_TYPE, type FlatHeaders, type Headers } from '../message.ts'
import { SESSION_HEADER } from '../state/sessions.ts'

export type { FlatHeaders }

/** A header's name and value, as on the wire. */
export type HeaderPair = [name: string, value: string]

// RFC 9110, section 7.6.1, and the proxy fields that browsers and old clients send.
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization'],
  // The session is between the client and this gateway.
  SESSION_HEADER,
])

const LENGTHS: ReadonlySet<number> = new Set([...HOP_BY_HOP].map((name) => name.length))

function isHopByHop(name: string): boolean {
  // Most names are known by their length alone not to be one of these.
  return LENGTHS.has(name.length) && HOP_BY_HOP.has(name.toLowerCase())
}

/** The headers that may pass to the next hop: without the hop-by-hop ones and those that `Connection` names. */
export function endToEnd(raw: readonly (string | Buffer)[]): string[] {
  const kept: string[] = []
  let named: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = textOf(raw[index])
    // What begins with a colon is HTTP/2's request line in the form of headers.
    if (!isHopByHop(name) && !name.startsWith(':')) kept.push(name, textOf(raw[index + 1]))
    else if (name.toLowerCase() === 'connection') {
      const value = textOf(raw[index + 1])
      if (value !== 'keep-alive' && value !== 'close') named = [...named, ...namesIn(value)]
    }
  }
  return named.length === 0 ? kept : without(kept, named)
}

// Nearly every `Connection` names what is dropped anyway.
function namesIn(connection: string): string[] {
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => !HOP_BY_HOP.has(name))
}

function without(flat: FlatHeaders, names: readonly string[]): string[] {
  return pairsOf(flat)
    .filter(([name]) => !names.includes(name.toLowerCase()))
    .flat()
}

/** Name and value pairs from the flat list that Node and undici give. */
export function pairsOf(flat: readonly (string | Buffer)[]): HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let i = 0; i + 1 < flat.length; i += 2) pairs.push([textOf(flat[i]), textOf(flat[i + 1])])
  return pairs
}

/** As `pairsOf`, but gives the same pairs again for a list that is like the one before, as most are. */
export function createPairsOf(): (flat: FlatHeaders) => readonly HeaderPair[] {
  let last: FlatHeaders = []
  let pairs: readonly HeaderPair[] = []
  return (flat) => {
    if (!areSame(last, flat)) [last, pairs] = [flat, pairsOf(flat)]
    return pairs
  }
}

/** Trailers as pairs: HTTP/2 has them as an object, HTTP/1.1 as a flat list. */
export function trailersOf(trailers: unknown): HeaderPair[] {
  if (trailers === undefined || trailers === null) return []
  if (Array.isArray(trailers)) return pairsOf(trailers as Buffer[])
  return Object.entries(trailers).map(([name, value]) => [name, String(value)])
}

// Header bytes are ISO-8859-1 to Node, in and out, so that none is changed on the way.
function textOf(value: string | Buffer | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}

/** Whether headers say that the body is JSON, or a kind of it such as `application/problem+json`. */
export function isJson(headers: FlatHeaders): boolean {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name, value] = [headers[index] as string, headers[index + 1] as string]
    if (name.length === 12 && name.toLowerCase() === 'content-type')
      return value === JSON_TYPE || /^[^;]*[/+]json\b/i.test(value)
  }
  return false
}

/** Where a client sees the gateway, or the adapter that is mounted in it. */
export interface SeenAt {
  readonly scheme: string
  /** Host and, where it is not the scheme's default, port. */
  readonly host: string
  /** The beginning of its paths that is not part of the server's own; `''` for nothing. */
  readonly prefix: string
}

/**
 * The headers of a request that is passed to a mounted adapter: where the client sees the adapter is said in
 * `x-forwarded-proto`, `-host` and `-prefix`, by the gateway alone. What the client says of that is left out.
 */
export function forwardedHeaders(headers: Headers, { scheme, host, prefix }: SeenAt): Headers {
  const own = Object.entries(headers).filter(([name]) => !/^(forwarded|x-forwarded-.*)$/.test(name))
  return {
    ...Object.fromEntries(own),
    'x-forwarded-proto': scheme,
    ...(host !== '' && { 'x-forwarded-host': host }),
    ...(prefix !== '' && { 'x-forwarded-prefix': prefix }),
  }
}

/** Answers that only inform (RFC 9110, section 15.2): one each minute takes the better part of a day. */
const MAX_INFORMED = 1000

/**
 * Why nothing can go on from a response's head, if it is so.
 * @param informed how many came, with this one, that only inform of the one that is to come
 */
export function faultOfHead(raw: readonly (Buffer | string)[], informed: number): string | undefined {
  const coding = unknownCodingIn(raw)
  if (coding !== undefined) return `its transfer coding '${coding}' is not known here`
  return informed > MAX_INFORMED ? `it has over ${MAX_INFORMED} answers of 1xx before it` : undefined
}

/**
 * The transfer coding of a response that is not known here; the parsers take off the chunks, whatever they hold
 * (RFC 9112, section 6.1).
 */
function unknownCodingIn(raw: readonly (Buffer | string)[]): string | undefined {
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] as Buffer | string
    if (name.length !== 17 || !/^transfer-encoding$/i.test(name.toString())) continue
    const coding = String(raw[index + 1])
    if (!/^(chunked|identity)$/i.test(coding)) return coding
  }
  return undefined
}

const NAMING_URL = /^(location|content-location|link|refresh|set-cookie)$/i

/** Whether a response's headers may name a URL. Most name none: that is to cost nothing. */
export function mayNameUrl(flat: FlatHeaders): boolean {
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const { length } = flat[index] as string
    if (length === 8 || length === 10 || length === 16 || (flat[index + 1] as string).includes('/'))
      if (NAMING_URL.test(flat[index] as string) || (flat[index + 1] as string).includes('//')) return true
  }
  return false
}

/** Whether a header may have this name (RFC 9110, section 5.1). */
export function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

/** What servers write where there is none: the words of MIME for it (RFC 2045, section 6), charsets, and others. */
const NO_CODING = /^(?:|identity|none|binary|[78]bit|utf-?8|us-ascii|iso-8859-\d+|plain|text|amz-1\.0)$/

/** The content codings of a body with these headers, in lower case and in the order in which they were applied. */
export function codingsOf(headers: readonly HeaderPair[]): string[] {
  return headers.flatMap(([name, value]) => (/^content-encoding$/i.test(name) ? codingsIn(value) : []))
}

/** The codings that a `Content-Encoding` names. */
export function codingsIn(contentEncoding: string): string[] {
  const named = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase())
  return named.filter((coding) => !NO_CODING.test(coding))
}
