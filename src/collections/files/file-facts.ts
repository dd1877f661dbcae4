import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { essenceOf } from '../../media-type.ts'
import { escapeXml } from '../../shape/xml-tree.ts'
import type { StoredFile } from './stored-file.ts'
import type { FileAnswer } from '../../engine/file-option.ts'

/** What is known of a request and its files: texts and lists by name. */
export type Facts = (name: string) => string | readonly Facts[] | undefined

/** A fact in braces, such as `{md5.base64}`. */
const FACT = /\{([A-Za-z_][\w.:-]*)\}/g

/** A template with its facts; those that are not known are empty. @param escape how values are written */
export function fill(template: string, facts: Facts, escape = (text: string): string => text): string {
  return template.replace(FACT, (_, name: string) => {
    const value = facts(name)
    return typeof value === 'string' ? escape(value) : ''
  })
}

/** Whether all facts of a template are known and not empty. */
export function isKnown(template: string, facts: Facts): boolean {
  return [...template.matchAll(FACT)].every(([, name = '']) => (facts(name) ?? '') !== '')
}

/** The body of an answer; what is repeated in it may have parts that are so too. */
export function fillText({ text = '', each = {}, type = '' }: FileAnswer, known: Facts): string {
  const escape = escapeFor(type)
  const block = (name: string, facts: Facts, within: readonly string[]): string | undefined => {
    const own = Object.hasOwn(each, name) && !within.includes(name) ? each[name] : undefined
    if (own === undefined) return undefined
    const { of, separator = '', follows } = own
    const found = facts(of)
    const items = typeof found === 'string' ? (found === '' ? [] : [facts]) : (found ?? [])
    const texts = items.map((item) => write(own.text, joined(item, facts), [...within, name]))
    const isAfter = texts.length > 0 && follows !== undefined && block(follows, facts, within) !== ''
    return (isAfter ? separator : '') + texts.join(separator)
  }
  const write = (template: string, facts: Facts, within: readonly string[]): string =>
    template.replace(FACT, (_, name: string) => {
      const repeated = block(name, facts, within)
      if (repeated !== undefined) return repeated
      const value = facts(name)
      return typeof value === 'string' ? escape(value) : ''
    })
  return write(text, known, [])
}

/** Facts where those of the first come before those of the second. */
export function joined(first: Facts, second: Facts): Facts {
  return (name) => first(name) ?? second(name)
}

/** How a value is written in a body of a media type. */
export function escapeFor(type: string): (text: string) => string {
  const essence = type === '' ? '' : essenceOf(type)
  if (essence.endsWith('json')) return (text) => JSON.stringify(text).slice(1, -1)
  return /[/+](xml|html)$/.test(essence) ? escapeXml : (text) => text
}

const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512', 'crc32'] as const

/** The names of what bytes come to. */
export const DIGEST_FACTS: readonly string[] = DIGESTS.flatMap((name) => [name, `${name}.base64`])

/** The names of the facts of a file, those that say the most first. */
export const FILE_FACTS: readonly string[] = [
  'etag.value',
  ...DIGEST_FACTS,
  ...[
    'parts.md5',
    'parts.count',
    'upload',
    'source.key',
    'key',
    'basename',
    'type',
    'number',
    'prefix',
    'folder',
  ],
  ...[
    'size',
    'last',
    'offset',
    'count',
    'files.count',
    'max',
    'truncated',
    'next',
    'next.key.url',
    'next.key',
  ],
]

const known = new WeakMap<Buffer, Map<string, string>>()
const unknown = new WeakSet<Buffer>()

/** Notes that bytes only stand for others of that length, so that nothing is known of what they come to. */
export function noteUnknown(bytes: Buffer): Buffer {
  unknown.add(bytes)
  return bytes
}

/** Whether it is known what bytes are. */
export function areKnown(bytes: Buffer): boolean {
  return !unknown.has(bytes)
}

/** Some bytes after one another. */
export function concatenate(parts: readonly Buffer[]): Buffer {
  const all = Buffer.concat(parts)
  return parts.every(areKnown) ? all : noteUnknown(all)
}

/** What bytes come to by a digest. @param name such as `md5` (hexadecimal) or `sha256.base64` */
export function digestOf(bytes: Buffer, name: string): string | undefined {
  const [kind = '', coding = 'hex'] = name.split('.')
  if (!(DIGESTS as readonly string[]).includes(kind) || !['hex', 'base64'].includes(coding)) return undefined
  if (!areKnown(bytes)) return undefined
  const own = known.get(bytes) ?? new Map<string, string>()
  known.set(bytes, own)
  const value = own.get(name) ?? digest(bytes, kind).toString(coding as 'hex' | 'base64')
  own.set(name, value)
  return value
}

function digest(bytes: Buffer, kind: string): Buffer {
  if (kind !== 'crc32') return Buffer.from(hash(kind, bytes, 'hex'), 'hex')
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}

/** What is known of a file. */
export function factsOfFile(file: StoredFile): Facts {
  const { bytes } = file
  return (name) => {
    switch (name) {
      case 'key':
        return file.key
      case 'basename':
        return file.key.slice(file.key.lastIndexOf('/', file.key.length - 2) + 1)
      case 'size':
        return String(bytes.length)
      case 'last':
        return String(Math.max(0, bytes.length - 1))
      case 'type':
        return file.type
      case 'etag':
        return file.etag
      case 'etag.value':
        return file.etag.replace(/^(W\/)?"|"$/g, '')
      case 'size.hex':
        return bytes.length.toString(16)
      case 'upload':
        return file.upload
      case 'isJson':
        return String(isJson(bytes))
      default:
        if (name.startsWith('metadata.')) return metadataOf(file, name.slice('metadata.'.length))
        return timeOf(file.modified, name) ?? digestOf(bytes, name) ?? file.headers[name]
    }
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

/** A time in the form that a fact names: `modified.http` as in headers, `modified.iso`, or seconds since 1970. */
export function timeOf(time: number, name: string): string | undefined {
  if (name === 'modified.http') return new Date(time).toUTCString()
  if (name === 'modified.iso') return new Date(time).toISOString()
  if (name === 'modified.seconds') return String(Math.floor(time / 1000))
  return name === 'modified.hex' ? Math.floor(time / 1000).toString(16) : undefined
}

/** A value that a server makes up: `made.uuid`, or so many signs of `made.hex.32`, `made.HEX.16` or `made.token.40`. */
export function madeText(name: string, seed: string): string {
  const [, form = '', length = '16'] = name.split('.')
  const bytes: Buffer[] = []
  for (let count = 0; count * 64 < Number(length); count++)
    bytes.push(Buffer.from(hash('sha512', `${seed} ${count}`, 'hex'), 'hex'))
  const all = Buffer.concat(bytes)
  const hex = all.toString('hex')
  if (form === 'uuid') return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
  // Without a digit it may read as a word.
  if (form === 'token')
    return all
      .toString('base64url')
      .slice(0, Number(length))
      .replace(/^\D+$/, (text) => `${text.slice(1)}7`)
  return (form === 'HEX' ? hex.toUpperCase() : hex).slice(0, Number(length))
}

// What a client said of an upload: names and values in base64 (tus 1.0.0, creation).
function metadataOf({ headers }: StoredFile, name: string): string | undefined {
  const pairs = (headers['upload-metadata'] ?? '').split(',').map((pair) => pair.trim().split(' '))
  const [, value] = pairs.find(([key]) => key === name) ?? []
  return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
}
