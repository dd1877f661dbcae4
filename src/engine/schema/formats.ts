import type { Stream } from '../random.ts'
import { type Draw, asciiOf, pickWord } from './words.ts'

/** How to draw a text of a format (JSON Schema 2020-12, section 7.3, and OpenAPI's); undefined for an unknown one. */
export function textOfFormat(format: string): Draw | undefined {
  return FORMATS.get(format)
}

/** How to draw texts of a format that are longer or shorter than the usual ones, for schemas that bound their length. */
export function otherTextsOfFormat(format: string): readonly Draw[] {
  const short = SHORT.get(format)
  return short === undefined ? (ENDS.get(format) ?? []) : [short]
}

/** A random UUID, version 4 (RFC 9562, section 5.4). */
export function uuid(stream: Stream): string {
  const [a, b, c, d] = [hex(stream, 8), hex(stream, 8), hex(stream, 8), hex(stream, 8)] as const
  const variant = 'ab89'[stream.uint32() % 4]
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${variant}${c.slice(1, 4)}-${c.slice(4)}${d}`
}

/** A moment between 2020 and the end of 2025, to the second: content must not depend on today. */
export function dateTime(stream: Stream): string {
  return `${new Date(FIRST_MOMENT + stream.integer(0, SECONDS - 1) * 1000).toISOString().slice(0, 19)}Z`
}

/** An address at a domain that is kept for examples (RFC 2606), so that no mail can reach anyone. */
export function email(stream: Stream): string {
  const [first, last] = [pickWord('firstName', stream), pickWord('lastName', stream)].map(asciiOf)
  return `${first}.${last}${stream.integer(...EMAIL_NUMBERS)}@example.${stream.pick(DOMAINS)}`
}

export const EMAIL_NUMBERS: readonly [number, number] = [1, 99]
/** The domains kept for examples. */
export const DOMAINS: readonly string[] = ['com', 'org', 'net']

/** A host at a domain that is kept for examples. */
export function hostname(stream: Stream): string {
  return `${asciiOf(pickWord('noun', stream))}.example.${stream.pick(DOMAINS)}`
}

/** An https address at a domain that is kept for examples. */
export function url(stream: Stream): string {
  return `https://${hostname(stream)}/${slug(stream)}`
}

/** Two words joined as in an address. */
export function slug(stream: Stream): string {
  return `${asciiOf(pickWord('adjective', stream))}-${asciiOf(pickWord('noun', stream))}`
}

/** An address from the ranges kept for documentation (RFC 5737). */
export function ipv4(stream: Stream): string {
  return `${stream.pick(['192.0.2', '198.51.100', '203.0.113'])}.${stream.integer(1, 254)}`
}

/** Hexadecimal digits; at most eight. */
export function hex(stream: Stream, digits: number): string {
  const bits = stream.uint32()
  return (byteOf(bits >>> 24) + byteOf(bits >>> 16) + byteOf(bits >>> 8) + byteOf(bits)).slice(0, digits)
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function byteOf(bits: number): string {
  return BYTES[bits & 0xff] ?? ''
}

/** The first moment that is drawn, in milliseconds since 1970, and how many seconds from then on are. */
export const FIRST_MOMENT = Date.UTC(2020, 0, 1)
export const SECONDS = (Date.UTC(2026, 0, 1) - FIRST_MOMENT) / 1000

const time: Draw = (stream) => dateTime(stream).slice(11)
const base64: Draw = (stream) => Buffer.from(hex(stream, 8) + hex(stream, 8)).toString('base64')
const ipv6: Draw = (stream) => `2001:db8::${hex(stream, 4)}:${hex(stream, 4)}`
const reference: Draw = (stream) => `/${slug(stream)}`

const FORMATS: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['date-time', dateTime],
  ['iso-date-time', dateTime],
  ['date', (stream) => dateTime(stream).slice(0, 10)],
  ['time', time],
  ['iso-time', time],
  ['duration', (stream) => `P${stream.integer(1, 30)}DT${stream.integer(1, 23)}H`],
  ['email', email],
  ['idn-email', email],
  ['hostname', hostname],
  ['idn-hostname', hostname],
  ['ipv4', ipv4],
  ['ipv6', ipv6],
  ['uri', url],
  ['url', url],
  ['iri', url],
  ['uri-reference', reference],
  ['iri-reference', reference],
  ['uri-template', (stream) => `/${slug(stream)}/{id}`],
  ['uuid', uuid],
  ['json-pointer', reference],
  ['json-pointer-uri-fragment', (stream) => `#/${slug(stream)}`],
  ['relative-json-pointer', (stream) => `0/${slug(stream)}`],
  ['regex', (stream) => `^${asciiOf(pickWord('noun', stream))}$`],
  ['byte', base64],
  ['binary', (stream) => hex(stream, 8) + hex(stream, 8)],
  ['password', (stream) => `${slug(stream)}-${stream.integer(10, 99)}`],
])

const letter = (stream: Stream): string => hex(stream, 1).replace(/\d/, 'g')
const shortEmail: Draw = (stream) => `${letter(stream)}@${letter(stream)}.io`
const shortHost: Draw = (stream) => `${letter(stream)}.io`
const shortUri: Draw = (stream) => `${letter(stream)}:${letter(stream)}`
const shortReference: Draw = (stream) => `/${letter(stream)}`

const SHORT: ReadonlyMap<string, Draw> = new Map<string, Draw>([
  ['email', shortEmail],
  ['idn-email', shortEmail],
  ['hostname', shortHost],
  ['idn-hostname', shortHost],
  ['uri', shortUri],
  ['iri', shortUri],
  ['url', (stream) => `ftp://${shortHost(stream)}`],
  ['uri-reference', shortReference],
  ['iri-reference', shortReference],
  ['uri-template', shortReference],
  ['json-pointer', shortReference],
  ['ipv6', (stream) => `::${hex(stream, 1)}`],
  ['duration', (stream) => `P${stream.integer(1, 9)}D`],
  ['byte', (stream) => Buffer.from(letter(stream)).toString('base64')],
  ['regex', letter],
  ['password', letter],
  ['binary', letter],
])

// RFC 3339: parts of a second, and the offset in figures.
const endings = (draw: Draw): readonly Draw[] =>
  ['.000Z', '+00:00', '.000000Z', '.000+00:00', '.000000+00:00'].map(
    (end) => (stream) => draw(stream).replace('Z', end),
  )

const ENDS: ReadonlyMap<string, readonly Draw[]> = new Map([
  ['date-time', endings(dateTime)],
  ['iso-date-time', endings(dateTime)],
  ['time', endings(time)],
  ['iso-time', endings(time)],
])
