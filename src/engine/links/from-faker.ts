import { ModelInvalid } from '../../errors.ts'
import { nearest } from '../../data-files/words.ts'
import { callFaker, findFakerProblem, readFakerCall, type FakerCall } from '../schema/faker.ts'
import { typesOf, type Schema } from '../schema/schema.ts'
import { defineLink, type Link } from './link.ts'

const USAGE =
  "fromFaker takes the name of a function of faker such as person.firstName, or { 'number.int': { max: 10 } }"

const link = defineLink<[FakerCall]>('fromFaker', {
  resolve: ({ random, schema }, call: FakerCall) => inForm(callFaker(call, random), schema),
  readsInputOnly: () => true,
  isDrawn: () => true,
  toData: ({ name, args }: FakerCall) => (args.length === 0 ? name : { [name]: args }),
  fromData: (data) => [fakerCallOf(data)],
})

/**
 * What a function of faker gives, drawn from the seed for this field: `FromFaker('number.int', { max: 10 })`. A value
 * that does not fit the field leaves it generated.
 * @throws ModelInvalid naming the nearest function for one that faker does not have
 */
export const FromFaker = Object.assign(
  (name: string, ...args: readonly unknown[]) =>
    link(fakerCallOf(args.length === 0 ? name : { [name]: args })),
  { linkName: link.linkName, fromData: link.fromData },
)

/** What is wrong with the data of a call of faker; `undefined` where nothing is. */
export function fakerProblemOf(data: unknown): string | undefined {
  const call = readFakerCall(data)
  return call === undefined ? USAGE : findFakerProblem(call, nearest)
}

/** The link of a call as data says it. @throws ModelInvalid as `FromFaker` does */
export function fakerLink(data: unknown): Link {
  return link(fakerCallOf(data))
}

function fakerCallOf(data: unknown): FakerCall {
  const call = readFakerCall(data)
  const problem = call === undefined ? USAGE : findFakerProblem(call, nearest)
  if (call === undefined || problem !== undefined) throw new ModelInvalid(problem ?? USAGE)
  return call
}

// Numbers in fields of text, and moments in fields of dates.
function inForm(value: unknown, schema: Schema): unknown {
  const isText = typesOf(schema).includes('string')
  if (isText && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (schema['format'] === 'date' && typeof value === 'string') return value.slice(0, 10)
  return value
}
