import type { HttpRequest } from '../message.ts'
import { OptionInvalid } from '../errors.ts'

/** A host as it is compared: in lower case and ASCII, without a trailing dot. */
export interface Host {
  /** A name, an IPv4 address, or an IPv6 address without brackets. */
  readonly name: string
  /** Absent where it was not written. */
  readonly port: number | undefined
}

/** A host whose port is known. */
export interface NamedHost extends Host {
  readonly port: number
}

/** Some hosts: one by its name, or with `*.` all below a name; with a port, only that one. */
export interface HostPattern {
  readonly text: string
  matches(host: Host): boolean
  /** Orders patterns that match the same host: the higher one says more. */
  readonly weight: number
}

const AUTHORITY = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{0,5}))?$/

const NAME = '(?!.*xn--)([\\w-]+\\.)*[a-z_][\\w-]*'
const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const PORT = '(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3})'

/** A `host[:port]` as most are written: a name of plain letters, or four numbers. `readHost` takes every such. */
export const PLAIN_HOST = new RegExp(`^(${NAME}|(${BYTE}\\.){3}${BYTE})(:${PORT})?$`, 'i')

/**
 * Reads the `host[:port]` of an authority as browsers read it, so that each host has one spelling: numbers in octal,
 * hexadecimal or fewer than four parts become a plain IPv4 address, and letters of other widths plain ones.
 * @returns undefined for what is not a host
 */
export function readHost(authority: string): Host | undefined {
  // The URL parser would take these as the host's end, or drop them.
  if (/[\s/\\?#@\p{Cc}]/u.test(authority)) return undefined
  const [, written, port] = AUTHORITY.exec(authority) ?? []
  if (written === undefined || written === '' || Number(port ?? 0) > 65_535) return undefined
  const url = `http://${written}/`
  const name = URL.canParse(url)
    ? new URL(url).hostname.replace(/(?<!\.)\.+$/, '').replace(/^\[|\]$/g, '')
    : ''
  if (name === '') return undefined
  return { name, port: port === undefined || port === '' ? undefined : Number(port) }
}

/** The host of a call, with the default port of its scheme where none was written. */
export function hostOfCall({
  host,
  scheme,
}: Partial<Pick<HttpRequest, 'host' | 'scheme'>>): NamedHost | undefined {
  const called = host === undefined ? undefined : readHost(host)
  return called && { name: called.name, port: called.port ?? (scheme === 'https' ? 443 : 80) }
}

/** A host that a pattern takes. */
export function sampleHost(pattern: string): string {
  return pattern.replace(/^\*/, 'any')
}

/** What a host pattern looks like, for messages. */
export const HOST_FORM = 'a host such as api.example.com or *.example.com'

/** Whether a value is a host pattern. */
export function isHostPattern(value: unknown): value is string {
  return typeof value === 'string' && readHostPattern(value) !== undefined
}

/** Reads a pattern such as `api.example.com`, `*.example.com` or `api.example.com:8443`; undefined for anything else. */
export function readHostPattern(text: string): HostPattern | undefined {
  const isWild = text.startsWith('*.')
  const host = readHost(isWild ? text.slice(2) : text)
  if (host === undefined || host.name.includes('*')) return undefined
  const { name, port } = host
  const fits = (other: string): boolean => (isWild ? other.endsWith(`.${name}`) : other === name)
  return {
    text,
    matches: (other) => fits(other.name) && (port === undefined || port === other.port),
    weight: (isWild ? 0 : 1_000) + name.length * 2 + (port === undefined ? 0 : 1),
  }
}

/** Whether a host is on a list. */
export type HostList = (host: Host) => boolean

/**
 * Reads a list of hosts: `api.example.com`, `*.example.com`, either with a port, or `*` for all.
 * @throws OptionInvalid when one is none of these; the message names the option
 */
export function readHostList(option: string, texts: readonly string[] = []): HostList {
  const patterns = texts
    .filter((text) => text !== '*')
    .map((text) => {
      const pattern = readHostPattern(text)
      if (pattern !== undefined) return pattern
      throw new OptionInvalid(
        `${option} takes hosts such as api.example.com, *.example.com or *, not '${text}'`,
      )
    })
  if (texts.includes('*')) return () => true
  return (host) => patterns.some((pattern) => pattern.matches(host))
}
