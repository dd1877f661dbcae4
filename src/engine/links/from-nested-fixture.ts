import { isDeepStrictEqual } from 'node:util'
import { declaringDirectory, type Found } from '../fixtures/json-fixtures.ts'
import { isObject } from '../schema/schema.ts'
import {
  findAt,
  missOf,
  valueOf,
  isFlag,
  isText,
  isTexts,
  readFixtureOptions,
  type FixtureForm,
} from './from-json-fixture.ts'
import { defineLink } from './link.ts'

/** Which item of a list in a JSON file is meant. */
export interface NestedFixtureOptions {
  /** Keys and list indexes joined by slashes that lead to the list. */
  readonly pointer: string
  /** Item fields and the input fields they must equal; all of them must. */
  readonly where?: Readonly<Record<string, string>>
  /** Position in the list, or among the items that match. Default: the first. */
  readonly index?: number
  /** Answer 500 `Fixture miss` when nothing is found. Default: the field is generated. */
  readonly strict?: boolean
}

interface Placed extends NestedFixtureOptions {
  readonly base?: string
}

type Input = Readonly<Record<string, unknown>>

const FORM: FixtureForm = {
  path: isText,
  pointer: isText,
  where: isTexts,
  index: Number.isInteger,
  strict: isFlag,
}

const link = defineLink('fromNestedFixture', {
  resolve: ({ input }, path: string, options: Placed) =>
    valueOf(findItem(path, options, input), options.strict ?? false, path),
  inputFields: (_path: string, { where = {} }: Placed) => Object.values(where),
  problems: (path: string, { where: _where, ...options }: Placed) => missOf(findItem(path, options, {})),
  toData: (path: string, { base: _base, ...options }: Placed) => ({ path, ...options }),
  fromData(data, base): [string, Placed] {
    const { path, ...options } = readFixtureOptions(
      data,
      FORM,
      'fromNestedFixture takes { path, pointer, where, index, strict }',
    )
    return [String(path), { ...(options as unknown as Placed), ...(base !== undefined && { base }) }]
  },
})

/** An item of a list in a JSON file, whose path is relative to the file that declares the link. */
export const FromNestedFixture = Object.assign(
  (path: string, options: NestedFixtureOptions) => link(path, { ...options, base: declaringDirectory() }),
  { linkName: link.linkName, fromData: link.fromData },
)

function findItem(
  path: string,
  { base = process.cwd(), pointer, where = {}, index = 0 }: Placed,
  input: Input,
): Found {
  const found = findAt({ path, base }, pointer)
  if ('miss' in found) return found
  if (!Array.isArray(found.value)) return { miss: `what lies at '${pointer}' is not a list` }
  const items: readonly unknown[] = found.value
  const matching =
    Object.keys(where).length === 0 ? items : items.filter((item) => matches(item, where, input))
  const item = matching.at(index)
  return item === undefined ? { miss: `the list at '${pointer}' has no item that matches` } : { value: item }
}

function matches(item: unknown, where: Readonly<Record<string, string>>, input: Input): boolean {
  return (
    isObject(item) &&
    Object.entries(where).every(
      ([field, inputField]) => Object.hasOwn(input, inputField) && isSame(item[field], input[inputField]),
    )
  )
}

// Path parameters without a model are texts: 7 in a file is the 7 of a path.
function isSame(value: unknown, wanted: unknown): boolean {
  return isDeepStrictEqual(value, wanted) || (typeof value === 'number' && String(value) === wanted)
}
