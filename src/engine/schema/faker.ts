import { createRequire } from 'node:module'
import type { Faker } from '@faker-js/faker'
import { isObject } from './schema.ts'

/** A call of one of faker's functions, as data says it. */
export interface FakerCall {
  /** Module and function, such as `person.firstName`. */
  readonly name: string
  readonly args: readonly unknown[]
}

/**
 * Functions that are out of reach of data: those that take functions, or texts in which more calls are written.
 * A pattern is what the keyword `pattern` is for.
 */
const LEFT_OUT: readonly string[] = [
  ...['fake', 'mustache', 'multiple', 'maybe', 'uniqueArray', 'fromRegExp'].map((name) => `helpers.${name}`),
  ...['toString', 'constructor'],
]

/** The longest text or list that a function may make. */
const MAX_LENGTH = 10_000
const NUMERIC = /^(number|date|finance|commerce|location|image|datatype)\./

/** A call as `person.firstName`, `{ 'number.int': { max: 10 } }` or `{ 'finance.amount': [1, 10, 2] }` says it; `undefined` for another form. */
export function readFakerCall(data: unknown): FakerCall | undefined {
  if (typeof data === 'string') return { name: currentName(data), args: FORMER_ARGS.get(data) ?? [] }
  if (!isObject(data)) return undefined
  const [entry, ...others] = Object.entries(data)
  if (entry === undefined || others.length > 0) return undefined
  const name = currentName(entry[0])
  const args: readonly unknown[] = Array.isArray(entry[1]) ? (entry[1] as unknown[]) : [entry[1]]
  // What chooses from a list is often given the list itself.
  return { name, args: OF_A_LIST.has(name) && args.every((each) => !Array.isArray(each)) ? [args] : args }
}

const OF_A_LIST = new Set(['helpers.arrayElement', 'helpers.arrayElements', 'helpers.shuffle'])

/** What is wrong with a call; `undefined` where nothing is. */
export function findFakerProblem({ name, args }: FakerCall, nearest: Nearest): string | undefined {
  const names = functionNames()
  if (!names.includes(name)) {
    const like = nearest(name, names) ?? nearest(ownName(name), names.map(ownName))
    const meant = names.find((each) => each === like || ownName(each) === like)
    const hint = meant === undefined ? `Modules: ${moduleNames().join(', ')}` : `Did you mean '${meant}'?`
    return `faker has no function '${name}' for data. ${hint}`
  }
  if (!NUMERIC.test(name) && greatestIn(args) > MAX_LENGTH)
    return `${name} makes at most ${MAX_LENGTH}, and is to make more`
  try {
    callFaker({ name, args }, () => 0.5)
    return undefined
  } catch (error) {
    return `${name} does not take these arguments: ${(error as Error).message.split('\n', 1)[0]}`
  }
}

/** The one of some words that another is most likely a slip of. */
type Nearest = (word: string, words: readonly string[]) => string | undefined

/**
 * The value of a call, as JSON has it. It depends on the draws alone: faker's "now" is always the same moment.
 * @param random draws in [0, 1)
 */
export function callFaker({ name, args }: FakerCall, random: () => number): unknown {
  const [module = '', method = ''] = name.split('.')
  const { faker, draw } = loadFaker()
  draw.next = random
  try {
    const functions = (faker as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[
      module
    ]
    return plainValue(functions?.[method]?.(...args))
  } finally {
    draw.next = undrawn
  }
}

// Dates, sets and great numbers as JSON has them.
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown)
}

function greatestIn(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value)
  if (value === null || typeof value !== 'object') return 0
  return Math.max(0, ...Object.values(value).map(greatestIn))
}

interface Loaded {
  readonly faker: Faker
  /** What the faker draws from: that of the call under way. */
  readonly draw: { next: () => number }
}

let loaded: Loaded | undefined

function undrawn(): number {
  return 0
}

/** The moment that dates are before or after: content must not depend on today. */
const NOW = '2025-12-31T00:00:00.000Z'

// Loaded with the first call; the package's main file has the words of all languages.
function loadFaker(): Loaded {
  if (loaded !== undefined) return loaded
  const require = createRequire(import.meta.url)
  const { faker: usual } = require('@faker-js/faker/locale/en') as { faker: Faker }
  const Own = usual.constructor as typeof Faker
  const draw = { next: undrawn }
  const randomizer = { next: () => draw.next(), seed: () => undefined }
  const faker = new Own({ locale: usual.rawDefinitions, randomizer })
  faker.setDefaultRefDate(NOW)
  loaded = { faker, draw }
  return loaded
}

let names: readonly string[] | undefined

/** Every function that data may call. */
export function functionNames(): readonly string[] {
  names ??= Object.entries(loadFaker().faker).flatMap(([module, functions]) =>
    isModule(functions) ? methodsOf(functions).map((method) => `${module}.${method}`) : [],
  )
  return names
}

function moduleNames(): string[] {
  return [...new Set(functionNames().map((name) => name.replace(/\.[^]*$/, '')))]
}

function ownName(name: string): string {
  return name.replace(/^.*\./, '')
}

function isModule(value: unknown): value is object {
  return isObject(value) && Object.getPrototypeOf(value) !== Object.prototype
}

// Nothing above the classes of modules, such as what every object has.
function methodsOf(module: object): string[] {
  const found = new Set<string>()
  for (let at: unknown = module; isObject(at) && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at))
      if (/^[a-z]\w*$/i.test(name) && typeof (module as Record<string, unknown>)[name] === 'function')
        found.add(name)
  const own = [...found].filter((name) => !LEFT_OUT.includes(name))
  return own.filter((name) => !LEFT_OUT.some((left) => left.endsWith(`.${name}`)))
}

/** A name as faker has it now: descriptions for other mock servers have those of older versions. */
function currentName(name: string): string {
  const known = FORMER.get(name)
  if (known !== undefined) return known
  const [module = '', method, ...others] = name.split('.')
  if (method === undefined || others.length > 0) return name
  return `${FORMER_MODULES.get(module) ?? module}.${method}`
}

const FORMER_MODULES: ReadonlyMap<string, string> = new Map([
  ['name', 'person'],
  ['address', 'location'],
])

const FORMER: ReadonlyMap<string, string> = new Map([
  ['name.findName', 'person.fullName'],
  ['name.jobTitle', 'person.jobTitle'],
  ['name.title', 'person.jobTitle'],
  ['address.streetName', 'location.street'],
  ['address.streetAddress', 'location.streetAddress'],
  ['address.cityName', 'location.city'],
  ['address.stateAbbr', 'location.state'],
  ['address.zipCodeByState', 'location.zipCode'],
  ['company.companyName', 'company.name'],
  ['company.bs', 'company.buzzPhrase'],
  ['company.bsAdjective', 'company.buzzAdjective'],
  ['company.bsBuzz', 'company.buzzVerb'],
  ['company.bsNoun', 'company.buzzNoun'],
  ['commerce.color', 'color.human'],
  ['phone.phoneNumber', 'phone.number'],
  ['phone.phoneFormats', 'phone.number'],
  ['internet.userName', 'internet.username'],
  ['internet.color', 'color.rgb'],
  ['internet.avatar', 'image.avatar'],
  ['image.imageUrl', 'image.url'],
  ['image.image', 'image.url'],
  ['finance.account', 'finance.accountNumber'],
  ['finance.mask', 'finance.maskedNumber'],
  ['git.shortSha', 'git.commitSha'],
  ['datatype.number', 'number.int'],
  ['datatype.float', 'number.float'],
  ['datatype.bigInt', 'number.bigInt'],
  ['datatype.uuid', 'string.uuid'],
  ['datatype.string', 'string.sample'],
  ['datatype.hexadecimal', 'string.hexadecimal'],
  ['datatype.datetime', 'date.anytime'],
  ['random.number', 'number.int'],
  ['random.float', 'number.float'],
  ['random.uuid', 'string.uuid'],
  ['random.boolean', 'datatype.boolean'],
  ['random.word', 'lorem.word'],
  ['random.words', 'lorem.words'],
  ['random.alpha', 'string.alpha'],
  ['random.alphaNumeric', 'string.alphanumeric'],
  ['random.hexaDecimal', 'string.hexadecimal'],
  ['random.numeric', 'string.numeric'],
  ['random.arrayElement', 'helpers.arrayElement'],
  ['random.arrayElements', 'helpers.arrayElements'],
  ['random.image', 'image.url'],
  ['helpers.randomize', 'helpers.arrayElement'],
  ['time.recent', 'date.recent'],
])

const FORMER_ARGS: ReadonlyMap<string, readonly unknown[]> = new Map([
  ['address.stateAbbr', [{ abbreviated: true }]],
  ['git.shortSha', [{ length: 7 }]],
])
