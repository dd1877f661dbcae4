import { isObject } from '../../engine/schema/schema.ts'
import { countEach, groupBy } from '../../grouping.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Condition } from '../../routing/condition.ts'
import { selectionOf } from '../../routing/selection.ts'
import { elementAt } from '../../routing/xml-elements.ts'
import type { Sample } from './sample.ts'
import { keysOf } from './values.ts'

/** Exchanges of one method and path that are for the same operation. */
export interface OperationSamples {
  /** What distinguishes its requests; absent where nothing does. */
  readonly when: Condition | undefined
  readonly name: string | undefined
  readonly samples: readonly Sample[]
}

/** A place that may distinguish operations, as the condition for a value there, and its value in a sample. */
interface Candidate {
  readonly key: string
  condition(value: string): Condition
  value(sample: Sample): string | undefined
}

/** The share of exchanges that must have a value at the place. */
const MIN_PRESENT = 0.9
/** The share of exchanges that must be alike to most of those with their value. */
const MIN_EXPLAINED = 0.8
/** By how much that must exceed the share of those alike to most of all. */
const MIN_GAIN = 0.25

/**
 * Divides the exchanges of one method and path by what distinguishes operations: where a known protocol has it, or else
 * a place that nearly all requests have, whose values are few and look like names, and whose values explain the shapes
 * of requests and answers much better than no division does.
 */
export function findOperations(samples: readonly Sample[]): readonly OperationSamples[] {
  const whole = [{ when: undefined, name: undefined, samples }]
  const known = PROTOCOLS.find((protocol) => samples.every((sample) => protocol.value(sample) !== undefined))
  const found = known ?? bestOf(candidatesOf(samples), samples)
  if (found === undefined) return whole
  const groups = [...groupBy(samples, (sample) => found.value(sample))]
  if (groups.length < 2) return whole
  const names = new Set<string>()
  return groups.map(([value, own]) => {
    const hasValue = value !== undefined
    return {
      when: hasValue ? found.condition(value) : undefined,
      name: hasValue ? freeName(value, names) : undefined,
      samples: own,
    }
  })
}

// Keys of routes have no spaces after the method, and no braces but those of parameters.
function freeName(value: string, taken: Set<string>): string {
  const plain = value.replace(/[{}]/g, '').trim().replace(/\s+/g, '.')
  let name = plain
  for (let count = 2; taken.has(name); count++) name = `${plain}-${count}`
  taken.add(name)
  return name
}

function bestOf(candidates: readonly Candidate[], samples: readonly Sample[]): Candidate | undefined {
  const judged = candidates.map((candidate) => ({ candidate, gain: gainOf(candidate, samples) }))
  const [best] = judged.filter(({ gain }) => gain >= MIN_GAIN).toSorted((a, b) => b.gain - a.gain)
  return best?.candidate
}

/** By how much a place explains the shapes better than no division; 0 where it cannot distinguish operations. */
function gainOf(candidate: Candidate, samples: readonly Sample[]): number {
  const fine = samples.filter(({ status }) => status < 400)
  const present = fine.flatMap((sample) => {
    const value = candidate.value(sample)
    return value === undefined ? [] : [{ value, shape: shapeOf(sample) }]
  })
  const groups = [...groupBy(present, ({ value }) => value).values()]
  const areFew = groups.length >= 2 && groups.length * 2 <= present.length
  if (!areFew || present.length < fine.length * MIN_PRESENT) return 0
  if (!present.every(({ value }) => looksLikeName(value))) return 0
  const alike = (group: readonly { readonly shape: string }[]): number =>
    Math.max(...countEach(group.map(({ shape }) => shape)).values())
  // One exchange alone is alike to itself, which explains nothing.
  const explained = groups.reduce((sum, group) => sum + (group.length === 1 ? 0 : alike(group)), 0)
  const share = explained / present.length
  return share < MIN_EXPLAINED ? 0 : share - alike(present) / present.length
}

function shapeOf({ response }: Sample): string {
  if (!isObject(response)) return keysOf(response)
  return Object.keys(response)
    .toSorted()
    .map((key) => `${key}:${keysOf(response[key])}`)
    .join(' ')
}

function looksLikeName(value: string): boolean {
  const isId = /^[\da-f-]{8,}$/i.test(value) || /\d{4,}/.test(value)
  return !isId && /^[A-Za-z_][\w.:/#-]{1,100}$/.test(value)
}

/** Fields that say what is to be done, wherever they are. */
const ACTIONS =
  /^(action|method|operation|operationname|op|command|cmd|type|kind|event|mode|function|procedure|target)$/i

function candidatesOf(samples: readonly Sample[]): readonly Candidate[] {
  const [first] = samples
  if (first === undefined) return []
  const headers = Object.keys(first.headers).filter((name) =>
    /(action|target|operation|method|command)$/.test(name),
  )
  const fields = Object.keys(first.query).filter((name) => ACTIONS.test(name))
  const members = isObject(first.body) ? Object.keys(first.body).filter((name) => ACTIONS.test(name)) : []
  const form = isForm(first)
  return [
    ...headers.map(headerPlace),
    ...fields.map((name): Candidate => ({
      key: `query ${name}`,
      condition: (equals) => ({ query: name, equals }),
      value: ({ query }) => textOf(query[name]),
    })),
    ...members.map((name) => (form ? formPlace(name) : memberPlace(name))),
  ]
}

function headerPlace(name: string): Candidate {
  return {
    key: `header ${name}`,
    condition: (equals) => ({ header: name, equals }),
    value: ({ headers }) => textOf(headers[name]),
  }
}

function formPlace(name: string): Candidate {
  return {
    key: `form ${name}`,
    condition: (equals) => ({ form: name, equals }),
    value: (sample) => textOf(sample.query[name]) ?? (isForm(sample) ? memberOf(sample, name) : undefined),
  }
}

function memberPlace(name: string): Candidate {
  return {
    key: `pointer /${name}`,
    condition: (equals) => ({ pointer: `/${name}`, equals }),
    value: (sample) => (isForm(sample) ? undefined : memberOf(sample, name)),
  }
}

function isForm({ headers }: Sample): boolean {
  return mediaKindOf(headers['content-type'] ?? '') === 'form'
}

function memberOf({ body }: Sample, name: string): string | undefined {
  return isObject(body) ? textOf(body[name]) : undefined
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function givenAs(place: Candidate, isSpoken: (sample: Sample) => boolean): Candidate {
  return { ...place, value: (sample) => (isSpoken(sample) ? place.value(sample) : undefined) }
}

/** Where known protocols have their operations: AWS JSON, SOAP, AWS query, JSON-RPC and GraphQL. */
const PROTOCOLS: readonly Candidate[] = [
  headerPlace('x-amz-target'),
  {
    key: 'element',
    condition: (equals) => ({ element: '/Envelope/Body/*', equals }),
    value: ({ body }) => (typeof body === 'string' ? elementAt(body, '/Envelope/Body/*') : undefined),
  },
  givenAs(
    formPlace('Action'),
    ({ query, body }) => 'Version' in query || (isObject(body) && 'Version' in body),
  ),
  givenAs(memberPlace('method'), ({ body }) => isObject(body) && 'jsonrpc' in body),
  {
    key: 'selection',
    condition: (selection) => ({ selection }),
    value: ({ body }) =>
      isObject(body) && typeof body['query'] === 'string'
        ? selectionOf(body['query'], textOf(body['operationName']))
        : undefined,
  },
]
