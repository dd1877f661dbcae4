import { faker } from '@faker-js/faker/locale/en'
import seedrandom from 'seedrandom'

/**
 * What answers are made of, written down once more as plainly as it can be, for the kinds of fields that most models have.
 * It is slow, shares no code with the engine, and says what the same seed must give in any version.
 */
export interface PlainField {
  readonly kind: 'uuid' | 'date-time' | 'email' | 'first name' | 'whole' | 'flag' | 'choice' | 'object'
  readonly from?: number
  readonly to?: number
  readonly choices?: readonly unknown[]
  readonly fields?: Readonly<Record<string, PlainField>>
}

/** An answer of one object. */
export function plainObject(
  seed: number,
  route: string,
  input: object,
  fields: PlainField['fields'],
): unknown {
  return valueAt(requestPlace(seed, route, input), { kind: 'object', ...(fields && { fields }) })
}

/** An answer of a list. */
export function plainList(
  seed: number,
  route: string,
  input: object,
  fields: PlainField['fields'],
  count: number,
): unknown[] {
  const items = childAt(requestPlace(seed, route, input), hash('items of the list'))
  return Array.from({ length: count }, (_, index) =>
    valueAt(childAt(items, index), { kind: 'object', ...(fields && { fields }) }),
  )
}

/** Two words of 32 bits say where in an answer something is. */
type Place = readonly [number, number]

function requestPlace(seed: number, route: string, input: object): Place {
  const root = seedrandom.alea(`content\n${seed}\n${route}`)
  const place: Place = [root.int32(), root.int32()]
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  const text = JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
  return [
    scramble(place[0], place[1], hash(text)),
    scramble(place[1] ^ 0x5bd1e995, place[0], hash(text, 0x5bd1e995, 0x9e3779b1)),
  ]
}

function childAt([a, b]: Place, salt: number): Place {
  return [scramble(a, b, salt), scramble(b ^ 0x5bd1e995, a, salt)]
}

/** The draws of a place: 32 bits each. */
function drawsAt([a, b]: Place): () => number {
  let count = 0
  return () => scramble(a, b, count++) >>> 0
}

function scramble(a: number, b: number, salt: number): number {
  let bits = a ^ Math.imul(salt + 1, 0x9e3779b1)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ b ^ (bits >>> 13), 0xc2b2ae35)
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  return bits ^ (bits >>> 13)
}

// FNV-1a over UTF-16 code units.
function hash(text: string, basis = 0x811c9dc5, prime = 0x01000193): number {
  let bits = basis
  for (const unit of text.split('')) bits = Math.imul(bits ^ unit.charCodeAt(0), prime)
  return bits ^ (bits >>> 15)
}

function valueAt(place: Place, field: PlainField): unknown {
  return KINDS[field.kind](drawsAt(place), field, place)
}

type Make = (draw: () => number, field: PlainField, place: Place) => unknown

const KINDS: Readonly<Record<PlainField['kind'], Make>> = {
  uuid(draw) {
    const digits = [draw(), draw(), draw(), draw()].map((bits) => bits.toString(16).padStart(8, '0'))
    const [one = '', two = '', three = '', four = ''] = digits
    const variant = 'ab89'[draw() % 4]
    return `${one}-${two.slice(0, 4)}-4${two.slice(5)}-${variant}${three.slice(1, 4)}-${three.slice(4)}${four}`
  },
  'date-time'(draw) {
    const [first, end] = [Date.UTC(2020, 0, 1), Date.UTC(2026, 0, 1)]
    const seconds = whole(draw, 0, (end - first) / 1000 - 1)
    return new Date(first + seconds * 1000).toISOString().replace('.000', '')
  },
  email(draw) {
    const [one, two] = [oneOf(draw, FIRST_NAMES), oneOf(draw, LAST_NAMES)].map(lettersOf)
    return `${one}.${two}${whole(draw, 1, 99)}@example.${oneOf(draw, ['com', 'org', 'net'])}`
  },
  'first name': (draw) => oneOf(draw, FIRST_NAMES),
  whole: (draw, { from = 0, to = 1000 }) => whole(draw, from, to),
  flag: (draw) => draw() / 2 ** 32 < 0.5,
  choice: (draw, { choices = [] }) => oneOf(draw, choices),
  object: (_draw, { fields = {} }, place) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, part]) => [name, valueAt(childAt(place, hash(name)), part)]),
    ),
}

const { first_name: first, last_name: last } = faker.rawDefinitions.person ?? {}
const [FIRST_NAMES, LAST_NAMES] = [first?.generic ?? [], last?.generic ?? []]

function whole(draw: () => number, from: number, to: number): number {
  return from + Math.floor((draw() / 2 ** 32) * (to - from + 1))
}

function oneOf<T>(draw: () => number, values: readonly T[]): T {
  return values[Math.floor((draw() / 2 ** 32) * values.length)] as T
}

function lettersOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}
