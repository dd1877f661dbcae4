import { createRequire } from 'node:module'
import type seedrandom from 'seedrandom'

// The package's main file loads six more generators, and draws from the system's chance.
const alea = createRequire(import.meta.url)('seedrandom/lib/alea.js') as typeof seedrandom.alea

/** What a seed may be. Texts and numbers that print the same are the same seed. */
export type Seed = number | string

/**
 * Draws of chance that belong to one place of a content tree: a request, an item of its list, a field of that item.
 *
 * A stream is a pure function of where it stands: `child` depends on the place alone, never on what was drawn
 * before, so that content comes out the same in whatever order it is generated. Drawing hashes the place with a
 * counter, so a new stream costs nothing to seed.
 */
export class Stream {
  readonly #a: number
  readonly #b: number
  /** What is changed of the bits that are drawn. */
  readonly #flipped: number
  #drawn = 0

  constructor(a: number, b: number, flipped = 0) {
    this.#a = a
    this.#b = b
    this.#flipped = flipped
  }

  /** The stream of a place below this one: an item's index, or `hashText` of a field's name. */
  child(salt: number): Stream {
    return new Stream(mix(this.#a, this.#b, salt), mix(this.#b ^ CHILD, this.#a, salt), this.#flipped)
  }

  /** The stream of a place that a text names, such as a stored item by its id; texts that differ do not meet. */
  childOf(text: string): Stream {
    const hash = new TextHash()
    hash.add(text)
    return this.#childAt(hash)
  }

  /** The stream of a place that a JSON value names, such as a request by its input: that of its canonical text. */
  childOfValue(value: unknown): Stream {
    const hash = new TextHash()
    return hash.addFlat(value) ? this.#childAt(hash) : this.childOf(canonicalText(value))
  }

  #childAt({ one, other }: TextHash): Stream {
    return new Stream(
      mix(this.#a, this.#b, one ^ (one >>> 15)),
      mix(this.#b ^ CHILD, this.#a, other ^ (other >>> 15)),
      this.#flipped,
    )
  }

  /** The bits of the next `uint32`, as JavaScript's bitwise operators take them. */
  bits(): number {
    return mix(this.#a, this.#b, this.#drawn++) ^ this.#flipped
  }

  /** An unsigned 32-bit integer. */
  uint32(): number {
    return (mix(this.#a, this.#b, this.#drawn++) ^ this.#flipped) >>> 0
  }

  /** A number in [0, 1), with 32 bits. */
  next(): number {
    return this.uint32() / TWO_POW_32
  }

  /** An integer in [min, max], both included and whole. Every one has the same chance in ranges of up to 2^53. */
  integer(min: number, max: number): number {
    const span = max - min
    if (span < TWO_POW_32) return min + Math.floor(this.next() * (span + 1))
    const share = (this.uint32() * 2 ** 21 + (this.uint32() >>> 11)) / 2 ** 53
    if (span < 2 ** 53) return min + Math.floor(share * (span + 1))
    // In two parts, since the span itself may be more than the greatest number.
    return Math.min(max, Math.max(min, Math.floor(min * (1 - share) + max * share)))
  }

  /** One of the items; `undefined` when there are none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.next() * items.length)]
  }
}

const TWO_POW_32 = 2 ** 32
const CHILD = 0x5bd1e995
const BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** Two rounds of MurmurHash3's finalizer (public domain, Austin Appleby) over two state words and a salt. */
function mix(a: number, b: number, salt: number): number {
  let hash = a ^ Math.imul(salt + 1, 0x9e3779b1)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ b ^ (hash >>> 13), 0xc2b2ae35)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}

/** A 32-bit hash of a text, for salts (FNV-1a over UTF-16 code units). */
export function hashText(text: string): number {
  let hash = BASIS
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), PRIME)
  return hash ^ (hash >>> 15)
}

/** The root stream of one route's content under one seed. */
export function contentStream(seed: Seed, route: string): Stream {
  const isOpposite = typeof seed === 'string' && seed.startsWith(OPPOSITE)
  const drawn = alea(`content\n${isOpposite ? seed.slice(OPPOSITE.length) : seed}\n${route}`)
  return new Stream(drawn.int32(), drawn.int32(), isOpposite ? HIGHEST_BIT : 0)
}

const OPPOSITE = '\u0000'
const HIGHEST_BIT = 0x80000000 | 0

/** The seed whose draws are half of their range away from those of another one: of several things, it draws another. */
export function oppositeOf(seed: Seed): Seed {
  return `${OPPOSITE}${seed}`
}

// A stream is costly to seed, and depends on nothing else.
const chaosRoots = new Map<string, Stream>()
const MAX_CHAOS_ROOTS = 1_000

/** The chance that decides what happens to request number `ordinal` of a route; `kind` keeps latency apart from errors. */
export function chaosDraws(seed: Seed, kind: string, route: string, ordinal: number): () => number {
  const text = `${seed}\n${kind}\n${route}`
  let root = chaosRoots.get(text)
  if (root === undefined) {
    root = contentStream(seed, `${kind}\n${route}`)
    if (chaosRoots.size >= MAX_CHAOS_ROOTS) chaosRoots.clear()
    chaosRoots.set(text, root)
  }
  // Seeds that differ in a digit alone would draw alike: the ordinal is mixed in instead.
  const place = root.child(ordinal)
  return () => place.next()
}

/** A text that is equal for equal JSON values, whatever the order of their keys. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, sortKeys) ?? ''
}

/** Two hashes of a text that is added in pieces (FNV-1a over UTF-16 code units, and the same with another factor). */
class TextHash {
  one = BASIS
  other = CHILD

  add(text: string): void {
    let { one, other } = this
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      one = Math.imul(one ^ code, PRIME)
      other = Math.imul(other ^ code, OTHER_FACTOR)
    }
    this.one = one
    this.other = other
  }

  /**
   * Adds the canonical text of an object of scalars, as most inputs are: to make the text costs more than all the rest.
   * @returns false for any other value; the hash is of no use then
   */
  addFlat(value: unknown): boolean {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || 'toJSON' in value) return false
    const names = sorted(Object.keys(value))
    let separator = '{'
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string
      const entry = (value as Record<string, unknown>)[name]
      if (entry === undefined) continue
      if (isIndex(name)) return false
      this.add(separator)
      this.#addQuoted(name)
      this.add(':')
      if (typeof entry === 'string') this.#addQuoted(entry)
      else if (entry === null || typeof entry === 'boolean') this.add(String(entry))
      else if (typeof entry === 'number') this.add(Number.isFinite(entry) ? String(entry) : 'null')
      else return false
      separator = ','
    }
    this.add(separator === '{' ? '{}' : '}')
    return true
  }

  #addQuoted(text: string): void {
    if (!isPlain(text)) return this.add(JSON.stringify(text))
    this.add('"')
    this.add(text)
    this.add('"')
  }
}

const OTHER_FACTOR = 0x9e3779b1

// As `toSorted` sorts, which for a few names costs more.
function sorted(names: string[]): string[] {
  if (names.length > FEW) return names.toSorted()
  for (let index = 1; index < names.length; index++) {
    const name = names[index] as string
    let place = index
    for (; place > 0 && (names[place - 1] as string) > name; place--)
      names[place] = names[place - 1] as string
    names[place] = name
  }
  return names
}

const FEW = 16

// Whether JSON writes a text as it is, between quotes.
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false
  }
  return true
}

// JSON puts such names first.
function isIndex(name: string): boolean {
  const code = name.charCodeAt(0)
  return code >= 0x30 && code <= 0x39 && /^\d+$/.test(name)
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries)
}
