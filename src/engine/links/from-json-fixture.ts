import { FixtureMiss, ModelInvalid } from '../../errors.ts'
import {
  declaringDirectory,
  findInFixture,
  readFixture,
  type FixturePath,
  type Found,
} from '../fixtures/json-fixtures.ts'
import { defineLink, KEEP } from './link.ts'
import { isObject } from '../schema/schema.ts'

/** Where in a JSON file a value lies. */
export interface JsonFixtureOptions {
  /** Keys and list indexes joined by slashes; the empty text means the whole document. */
  readonly pointer: string
  /** The input field whose value chooses among `variants`. */
  readonly variantFrom?: string
  /** Pointers by the value of `variantFrom`; any other value takes `pointer`. */
  readonly variants?: Readonly<Record<string, string>>
  /** Answer 500 `Fixture miss` when nothing is found. Default: the field is generated. */
  readonly strict?: boolean
}

interface Placed extends JsonFixtureOptions {
  readonly base?: string
}

const FORM: FixtureForm = {
  path: isText,
  pointer: isText,
  variantFrom: isText,
  variants: isTexts,
  strict: isFlag,
}

const link = defineLink('fromJsonFixture', {
  resolve({ input }, path: string, options: Placed) {
    const { variantFrom, variants = {}, strict = false } = options
    const variant = variantFrom === undefined ? undefined : textOf(input[variantFrom])
    const chosen = variant !== undefined && Object.hasOwn(variants, variant) ? variants[variant] : undefined
    return valueOf(find(path, options, chosen ?? options.pointer), strict, path)
  },
  inputFields: (_path: string, { variantFrom }: Placed) => (variantFrom === undefined ? [] : [variantFrom]),
  problems(path: string, options: Placed) {
    const pointers = [options.pointer, ...Object.values(options.variants ?? {})]
    return pointers.flatMap((pointer) => missOf(find(path, options, pointer)))
  },
  toData: (path: string, { base: _base, ...options }: Placed) => ({ path, ...options }),
  fromData(data, base): [string, Placed] {
    const { path, ...options } = readFixtureOptions(
      data,
      FORM,
      'fromJsonFixture takes { path, pointer, variantFrom, variants, strict }',
    )
    return [String(path), { ...(options as unknown as Placed), ...(base !== undefined && { base }) }]
  },
})

/** The value at a pointer into a JSON file, whose path is relative to the file that declares the link. */
export const FromJsonFixture = Object.assign(
  (path: string, options: JsonFixtureOptions) => link(path, { ...options, base: declaringDirectory() }),
  { linkName: link.linkName, fromData: link.fromData },
)

function find(path: string, { base = process.cwd() }: Placed, pointer: string): Found {
  return findAt({ path, base }, pointer)
}

/** The value at a pointer of a fixture file. */
export function findAt(file: FixturePath, pointer: string): Found {
  const document = readFixture(file)
  return 'miss' in document ? document : findInFixture(document.value, pointer)
}

/** The found value; for a miss, what a link's field is to do about it. @throws FixtureMiss when strict */
export function valueOf(found: Found, strict: boolean, path: string): unknown {
  if ('value' in found) return found.value
  if (strict || found.isOutside === true) throw new FixtureMiss(`${path}: ${found.miss}`)
  return KEEP
}

/** A miss as a problem of the link. @throws ModelInvalid for a file that may not be read */
export function missOf(found: Found): string[] {
  if ('miss' in found && found.isOutside === true) throw new ModelInvalid(found.miss)
  return 'miss' in found ? [found.miss] : []
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)
}

/** What each option of a fixture link must be. `path` and `pointer` must be there. */
export type FixtureForm = Readonly<Record<string, (value: unknown) => boolean>>

/** A fixture link's options from data. @throws ModelInvalid saying what the link takes */
export function readFixtureOptions(data: unknown, form: FixtureForm, usage: string): Record<string, unknown> {
  if (!isObject(data)) throw new ModelInvalid(usage)
  const strange = Object.entries(data).find(([name, value]) => {
    const fits = Object.hasOwn(form, name) ? form[name] : undefined
    return fits?.(value) !== true
  })
  if (strange !== undefined) {
    const [name, value] = strange
    const wrong = Object.hasOwn(form, name) ? `${name} cannot be ${JSON.stringify(value)}` : `not ${name}`
    throw new ModelInvalid(`${usage}; ${wrong}`)
  }
  if (data['path'] === undefined || data['pointer'] === undefined) throw new ModelInvalid(usage)
  return data
}

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

export function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText)
}

export function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}
