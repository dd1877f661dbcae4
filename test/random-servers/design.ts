import fc from 'fast-check'

// What a random server is like, as data: fast-check makes it, and makes it smaller when something fails.

export interface Design {
  /** Of what the server holds when it starts. */
  readonly seed: number
  readonly prefix: string
  readonly suffix: '' | '.json'
  readonly fieldCase: Case
  readonly pathCase: Case
  readonly single: (typeof SINGLES)[number]
  readonly list: (typeof LISTS)[number]
  readonly hasTotal: boolean
  readonly paging: (typeof PAGINGS)[number]
  readonly pageSize: number
  readonly error: (typeof ERRORS)[number]
  readonly createdStatus: 200 | 201
  readonly hasLocation: boolean
  readonly deleted: (typeof DELETED)[number]
  readonly update: 'PATCH' | 'PUT' | 'POST'
  readonly stamps: 'none' | 'iso' | 'epoch'
  readonly etags: 'none' | 'strong' | 'weak'
  readonly needsToken: boolean
  readonly collections: readonly Collection[]
  readonly calls: (typeof CALLS)[number]
}

export interface Collection {
  readonly noun: Noun
  readonly id: (typeof IDS)[number]
  readonly fields: readonly Field[]
  /** The collection whose items these are below, if it is an earlier one. */
  readonly parent: number | undefined
  readonly size: number
  readonly isSorted: boolean
}

export interface Field {
  readonly name: string
  readonly kind: (typeof KINDS)[number]
  readonly isRequired: boolean
}

export type Case = 'snake' | 'camel' | 'kebab' | 'pascal'
type Noun = readonly [singular: string, plural: string]

const PREFIXES = [
  ...['', '/api', '/v1', '/api/v2', '/rest/api/3', '/admin/api/2024-01'],
  ...['/2010-04-01/Accounts/AC5f0c2e9b7a4d4f6e8b1a3c5d7e9f0a1b', '/apis/apps/v1/namespaces/default'],
]
/** As they are; below `data`; below their own name; with `object`; with `kind`, `metadata` and `spec`. */
const SINGLES = ['bare', 'data', 'named', 'object', 'kind'] as const
const LISTS = ['bare', 'data', 'named', 'items', 'object', 'kind', 'values'] as const
const PAGINGS = ['none', 'page', 'offset', 'after', 'token', 'link'] as const
const ERRORS = [
  ...(['detail', 'message', 'nested', 'list', 'messages', 'problem', 'status', 'numbered', 'text'] as const),
]
const DELETED = ['nothing', 'empty', 'note', 'item'] as const
const IDS = ['integer', 'uuid', 'slug', 'prefixed', 'hex'] as const
const KINDS = [
  ...(['word', 'sentence', 'choice', 'integer', 'decimal', 'amount', 'boolean', 'date', 'email'] as const),
  ...(['url', 'nested', 'tags', 'labels', 'nullable', 'address', 'measure'] as const),
]
/** Operations with one address: none, by a member, a header, a query parameter, or with their names in the path. */
const CALLS = ['none', 'jsonrpc', 'header', 'query', 'path'] as const
const NOUNS: readonly Noun[] = [
  ...([
    ['user', 'users'],
    ['order', 'orders'],
    ['category', 'categories'],
    ['person', 'people'],
  ] as const),
  ...([
    ['line item', 'line items'],
    ['box', 'boxes'],
    ['repository', 'repositories'],
  ] as const),
  ...([
    ['issue', 'issues'],
    ['deployment', 'deployments'],
    ['message', 'messages'],
  ] as const),
]
const NAMES = [
  ...['title', 'status', 'unit price', 'stock', 'is active', 'email', 'home page', 'notes', 'due date'],
  ...['priority', 'owner name', 'currency', 'labels', 'tags', 'settings', 'rating', 'state', 'description'],
]

const field: fc.Arbitrary<Field> = fc.record({
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom(...KINDS),
  isRequired: fc.boolean(),
})

const collection: fc.Arbitrary<Collection> = fc.record({
  noun: fc.constantFrom(...NOUNS),
  id: fc.constantFrom(...IDS),
  fields: fc.uniqueArray(field, { minLength: 1, maxLength: 7, selector: ({ name }) => name }),
  parent: fc.option(fc.nat(2), { nil: undefined }),
  size: fc.nat(14),
  isSorted: fc.boolean(),
})

/** Servers of all kinds. */
export const anyDesign: fc.Arbitrary<Design> = fc.record({
  seed: fc.nat(1e6),
  prefix: fc.constantFrom(...PREFIXES),
  suffix: fc.constantFrom('', '', '', '.json'),
  fieldCase: fc.constantFrom('snake', 'camel', 'kebab', 'pascal'),
  pathCase: fc.constantFrom('kebab', 'snake', 'camel'),
  single: fc.constantFrom(...SINGLES),
  list: fc.constantFrom(...LISTS),
  hasTotal: fc.boolean(),
  paging: fc.constantFrom(...PAGINGS),
  pageSize: fc.integer({ min: 2, max: 6 }),
  error: fc.constantFrom(...ERRORS),
  createdStatus: fc.constantFrom(201, 200),
  hasLocation: fc.boolean(),
  deleted: fc.constantFrom(...DELETED),
  update: fc.constantFrom('PATCH', 'PUT', 'POST'),
  stamps: fc.constantFrom('none', 'iso', 'epoch'),
  etags: fc.constantFrom('none', 'none', 'strong', 'weak'),
  needsToken: fc.boolean(),
  collections: fc.uniqueArray(collection, {
    minLength: 1,
    maxLength: 3,
    selector: ({ noun: [name] }) => name,
  }),
  calls: fc.constantFrom(...CALLS),
})

/** One thing that a client does; which collection and item it is done to follows from the numbers. */
export interface Step {
  readonly does: (typeof DEEDS)[number]
  readonly which: number
  readonly what: number
}

/** Deeds that are common come more often. */
const DEEDS = [
  ...(['list', 'list', 'filter', 'sort', 'next', 'next', 'read', 'read', 'read', 'readMissing'] as const),
  ...([
    'create',
    'create',
    'create',
    'createWrong',
    'createAgain',
    'update',
    'update',
    'updateMissing',
  ] as const),
  ...(['delete', 'readDeleted', 'readIfChanged', 'updateIfSame', 'withoutToken'] as const),
  ...(['call', 'call', 'call'] as const),
]

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(...DEEDS),
  which: fc.nat(1000),
  what: fc.nat(1e6),
})

/** What a client does one after the other. */
export function anySteps(minLength: number, maxLength: number): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength, maxLength, size: 'max' })
}

/** A name of several words as an API writes it. */
export function written(words: string, as: Case): string {
  if (as === 'snake' || as === 'kebab') return words.replaceAll(' ', as === 'snake' ? '_' : '-')
  const camel = words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase())
  return as === 'camel' ? camel : camel.replace(/^\w/, (letter) => letter.toUpperCase())
}

/** The collection that this one's items are below, by its place: an earlier one. */
export function parentOf({ collections }: Design, at: number): number | undefined {
  const parent = collections[at]?.parent
  return parent !== undefined && parent < at ? parent : undefined
}

/** The member of an item that holds its id, where it has no envelope that says so. */
export function idNameOf({ id, noun: [singular] }: Collection, { seed, fieldCase }: Design): string {
  if (id === 'slug') return written(seed % 2 === 0 ? 'slug' : 'name', fieldCase)
  if (id === 'hex') return written('sid', fieldCase)
  return written(id === 'uuid' && seed % 3 === 0 ? `${singular} id` : 'id', fieldCase)
}

/** Numbers from 0 to 1 that look random, the same for the same seed. */
export function randomOf(...seed: readonly number[]): () => number {
  let state = seed.reduce((all, each) => Math.imul(all ^ each, 0x9e3779b1) + 0x7f4a7c15, 0x2545f491)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const WORDS = ['amber', 'birch', 'cobalt', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'indigo', 'juniper']
const CHOICES = ['open', 'closed', 'in_progress', 'archived']

/** A value that a field may have. */
export function valueOf({ kind }: Field, random: () => number): unknown {
  const whole = (below: number): number => Math.floor(random() * below)
  const word = (): string => WORDS[whole(WORDS.length)] as string
  const values: Record<Field['kind'], () => unknown> = {
    word: () => `${word()}${whole(90)}`,
    sentence: () => `The ${word()} of the ${word()}, ${whole(100)} times.`,
    choice: () => CHOICES[whole(CHOICES.length)],
    integer: () => whole(1000),
    decimal: () => Math.round(random() * 10_000) / 100,
    amount: () => (random() * 500).toFixed(2),
    boolean: () => random() < 0.5,
    date: () => `2025-${10 + whole(3)}-${10 + whole(18)}`,
    email: () => `${word()}${whole(90)}@example.com`,
    url: () => `https://example.com/${word()}/${whole(90)}`,
    nested: () => ({ code: word(), weight: whole(50), unit: random() < 0.5 ? 'kg' : 'g' }),
    tags: () => Array.from({ length: whole(4) }, word),
    labels: () => Object.fromEntries(Array.from({ length: whole(3) }, () => [word(), `${whole(9)}`])),
    measure: () => (random() < 0.5 ? whole(50) : Math.round(random() * 500) / 10),
    nullable: () => (random() < 0.5 ? null : word()),
    address: () => ({
      lines: [`${whole(90)} ${word()} street`],
      city: word(),
      geo: { lat: whole(90), lng: whole(90) },
    }),
  }
  return values[kind]()
}
