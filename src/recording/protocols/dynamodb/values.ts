import { isObject } from '../../../engine/schema/schema.ts'
import { groupBy } from '../../../grouping.ts'
import { ERRORS, Refusal } from './refusal.ts'

/** A value with its type: `{ S: 'a' }`, `{ N: '1.5' }`, `{ M: { … } }`. */
export type Value = Readonly<Record<string, unknown>>
/** An item, or a map in one. */
export type Attributes = Readonly<Record<string, Value>>
/** Names of attributes and positions in lists, the outermost first. */
export type Path = readonly (string | number)[]

/** A member of a request as a text, whatever it is. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** The type of a value, such as `S`. */
export function typeOf(value: Value): string {
  return Object.keys(value)[0] ?? ''
}

/** The value at a path of an item; `undefined` where there is none. */
export function valueAt(item: Attributes, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((part, step) => part && partOf(part, step), { M: item })
}

function partOf(whole: Value, step: string | number): Value | undefined {
  const parts = typeof step === 'number' ? whole['L'] : whole['M']
  if (!isParts(parts) || !Object.hasOwn(parts, step)) return undefined
  return parts[step]
}

function isParts(value: unknown): value is Readonly<Record<string | number, Value>> {
  return typeof value === 'object' && value !== null
}

/**
 * An item with a value at a path, or without it.
 * @throws Refusal where the map or list that the path names is not there
 */
export function withValue(item: Attributes, path: Path, value: Value | undefined): Attributes {
  return withPart({ M: item }, path, value)?.['M'] as Attributes
}

function withPart(
  whole: Value | undefined,
  [step, ...below]: Path,
  value: Value | undefined,
): Value | undefined {
  if (step === undefined) return value
  const parts = typeof step === 'number' ? whole?.['L'] : whole?.['M']
  if (whole === undefined || parts === undefined) throw new Refusal(ERRORS.path)
  const part = withPart(partOf(whole, step), below, value)
  if (Array.isArray(parts)) {
    const list = [...(parts as Value[])]
    const at = Math.min(Number(step), list.length)
    if (part === undefined) list.splice(at, 1)
    else list[at] = part
    return { L: list }
  }
  const { [step]: _before, ...others } = parts as Readonly<Record<string | number, Value>>
  return { M: part === undefined ? others : { ...others, [step]: part } }
}

/** An item with nothing but what paths name. */
export function project(item: Attributes, paths: readonly Path[]): Attributes {
  return (projectPart({ M: item }, paths)?.['M'] ?? {}) as Attributes
}

/** An item with what paths name, or all of it. */
export function shown(item: Attributes, paths: readonly Path[] | undefined): Attributes {
  return paths === undefined ? item : project(item, paths)
}

function projectPart(whole: Value, paths: readonly Path[]): Value | undefined {
  if (paths.some(({ length }) => length === 0)) return whole
  const shown = [...groupBy(paths, ([step]) => step ?? '')].flatMap(([step, own]) => {
    const part = partOf(whole, step)
    const found =
      part &&
      projectPart(
        part,
        own.map((path) => path.slice(1)),
      )
    return found === undefined ? [] : [[step, found] as const]
  })
  if (shown.length === 0) return undefined
  if (whole['M'] !== undefined) return { M: Object.fromEntries(shown) }
  return { L: shown.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, found]) => found) }
}

/** Whether two values say the same: numbers however they are written, sets in any order. */
export function areEqual(a: Value, b: Value): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

/** A value as it is stored: numbers in their shortest form. */
export function stored(value: Value): Value {
  const [[type, own] = ['', undefined]] = Object.entries(value)
  if (type === 'N') return { N: plainNumber(String(own)) }
  if (type === 'NS') return { NS: (own as string[]).map((each) => plainNumber(each)) }
  if (type === 'L') return { L: (own as Value[]).map(stored) }
  if (type === 'M') return { M: storedAttributes(own as Attributes) }
  return value
}

/** An item as it is stored. */
export function storedAttributes(item: Attributes): Attributes {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, stored(value)]))
}

function canonical(value: unknown): unknown {
  if (!isObject(value)) return value
  const [[type, own] = ['', undefined]] = Object.entries(stored(value))
  if (/^[SNB]S$/.test(type)) return { [type]: (own as string[]).toSorted() }
  if (type === 'L') return { L: (own as Value[]).map(canonical) }
  if (type !== 'M') return { [type]: own }
  const entries = Object.entries(own as Attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { M: entries.map(([name, each]) => [name, canonical(each)]) }
}

/** The order of two values of one type: negative, 0 or positive; `undefined` where they have none. */
export function compareValues(a: Value, b: Value): number | undefined {
  const type = typeOf(a)
  if (type !== typeOf(b) || !/^[SNB]$/.test(type)) return undefined
  const [one, other] = [String(a[type]), String(b[type])]
  if (type === 'N') return Number(sum(one, other, -1n).digits)
  const encoding = type === 'S' ? 'utf8' : 'base64'
  return Buffer.compare(Buffer.from(one, encoding), Buffer.from(other, encoding))
}

/** One number and another one, or without it, in decimals. */
export function addNumbers(a: string, b: string, sign: 1n | -1n = 1n): string {
  return written(sum(a, b, sign))
}

function plainNumber(text: string): string {
  return written(decimalOf(text))
}

/** A number of digits with so many zeros after them, or before where that is negative. */
interface Decimal {
  readonly digits: bigint
  readonly zeros: number
}

function sum(a: string, b: string, sign: bigint): Decimal {
  const [one, other] = [decimalOf(a), decimalOf(b)]
  const zeros = Math.min(one.zeros, other.zeros)
  const scaled = (each: Decimal): bigint => each.digits * 10n ** BigInt(each.zeros - zeros)
  return { digits: scaled(one) + sign * scaled(other), zeros }
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i

function decimalOf(text: string): Decimal {
  const [, sign, whole = '', part = '', power = '0'] = NUMBER.exec(text.trim()) ?? []
  if (whole + part === '') throw new Refusal(ERRORS.number, { Value: text })
  return { digits: BigInt(`${sign === '-' ? '-' : ''}${whole}${part}`), zeros: Number(power) - part.length }
}

function written({ digits, zeros }: Decimal): string {
  if (zeros >= 0) return String(digits * 10n ** BigInt(zeros))
  const text = String(digits < 0n ? -digits : digits).padStart(1 - zeros, '0')
  const part = text.slice(zeros).replace(/(?<!0)0+$/, '')
  return `${digits < 0n ? '-' : ''}${text.slice(0, zeros)}${part === '' ? '' : `.${part}`}`
}

/** How many bytes a value counts for, by which throughput is measured. */
export function sizeOf(value: Value): number {
  const [[type, own] = ['', undefined]] = Object.entries(value)
  if (type === 'S') return Buffer.byteLength(String(own))
  if (type === 'B') return Buffer.byteLength(String(own), 'base64')
  if (type === 'N') return 1 + Math.ceil(String(own).replaceAll(/\D|^0+|(?<!0)0+$/g, '').length / 2)
  if (/^[SNB]S$/.test(type))
    return (own as string[]).reduce((total, each) => total + sizeOf({ [type.charAt(0)]: each }), 0)
  if (type === 'L') return (own as Value[]).reduce((total, each) => total + 1 + sizeOf(each), 3)
  return type === 'M' ? 3 + Object.keys(own as object).length + sizeOfItem(own as Attributes) : 1
}

/** How many bytes an item counts for. */
export function sizeOfItem(item: Attributes): number {
  return Object.entries(item).reduce((total, [name, value]) => total + name.length + sizeOf(value), 0)
}
