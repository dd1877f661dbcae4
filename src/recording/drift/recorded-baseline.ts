import { hashText } from '../../engine/random.ts'
import { contentKindOf, essenceOf } from '../../media-type.ts'
import { readValue } from '../../shape/read-value.ts'
import { addTo, entryOf } from '../../grouping.ts'
import { createObservation, type Observation } from '../../shape/observation.ts'
import { observe } from '../../shape/observe.ts'
import { SURE } from '../../shape/evidence.ts'
import { schemaOf } from '../../shape/observed-schema.ts'
import { hasBody, type Sample } from '../inference/sample.ts'
import {
  ANY_ANSWER,
  type Baseline,
  compareWith,
  COMPARED,
  type ExpectedAnswer,
  type ExpectedRoute,
  isPassing,
} from './baseline.ts'
import { type CompareValue } from '../../shape/compare-value.ts'
import { type ReadSamples, recordedRoutes } from './recorded-routes.ts'

/** A header that came this often, and every time, always comes. */
const MIN_ALWAYS = 3
/** After so many answers it is known which headers there are, and after so many requests what clients send. */
const ENOUGH = 12

/**
 * What the exchanges of a recording have in common, by route and status. It is read thrice, one exchange at a time.
 * @param others samples that are compared with it: they help to distinguish values in paths from names
 */
export async function recordedBaseline(read: ReadSamples, others?: ReadSamples): Promise<Baseline> {
  const nameRoute = await recordedRoutes(read, others)
  const routes = new Map<string, ObservedRoute>()
  for await (const sample of read()) {
    const name = COMPARED.has(sample.method) ? nameRoute(sample) : undefined
    if (name === undefined) continue
    noteSample(entryOf(routes, name, createObservedRoute), sample)
  }
  const expected = new Map([...routes].map(([name, route]) => [name, expect(name, route)]))
  return (request) => expected.get(nameRoute(request) ?? '')
}

interface ObservedRoute {
  readonly answers: Map<number, ObservedAnswer>
  readonly query: Observation
  readonly body: Observation
  /** Which requests there were, and what was sent with them. */
  readonly requests: Set<number>
  readonly inputs: Set<number>
}

interface ObservedAnswer {
  count: number
  readonly types: Set<string>
  readonly headers: Map<string, number>
  readonly body: Observation
}

function createObservedRoute(): ObservedRoute {
  return {
    ...{ answers: new Map(), query: createObservation(), body: createObservation() },
    ...{ requests: new Set(), inputs: new Set() },
  }
}

function createObservedAnswer(): ObservedAnswer {
  return { count: 0, types: new Set(), headers: new Map(), body: createObservation() }
}

function noteSample({ answers, query, body, requests, inputs }: ObservedRoute, sample: Sample): void {
  noteHash(requests, requestHash(sample))
  noteHash(inputs, inputHash(sample))
  const { status, mimeType, responseHeaders, response } = sample
  const answer = entryOf(answers, status, createObservedAnswer)
  answer.count++
  if (hasBody(sample)) answer.types.add(essenceOf(mimeType))
  for (const name of Object.keys(responseHeaders)) addTo(answer.headers, name)
  // What a failure says in particular is nothing to rely on.
  if (status >= 400) return
  const value = sample.method === 'HEAD' ? undefined : readValue(response, mimeType)
  if (value !== undefined) observe(answer.body, value)
  observe(query, sample.query)
  if (sample.body !== undefined) observe(body, sample.body)
}

const MAX_REQUESTS = 4096

function noteHash(known: Set<number>, hash: number): void {
  if (known.size < MAX_REQUESTS) known.add(hash)
}

function requestHash({ segments, query, body }: Sample): number {
  return hashText(JSON.stringify([segments, query, body]))
}

// What of a request may decide the shape of its answer: an id in the path does not.
function inputHash({ query, body, headers }: Sample): number {
  return hashText(JSON.stringify([query, body, headers['accept'] ?? '']))
}

function expect(name: string, { answers, query, body, requests, inputs }: ObservedRoute): ExpectedRoute {
  const expected = new Map([...answers].map(([status, seen]) => [status, inCommon(seen)]))
  return {
    name,
    statuses: [...answers.keys()].toSorted((a, b) => a - b),
    answer: (status) => expected.get(status),
    requests: {
      has: (sample) => requests.has(requestHash(sample)),
      covers: (sample) => inputs.size >= SURE || inputs.has(inputHash(sample)),
    },
    input: {
      names: new Set([...query.objects.fields.keys(), ...body.objects.fields.keys()]),
      ...(query.count >= ENOUGH && { query: compareNames(query) }),
      ...(body.count >= ENOUGH && { body: comparisonOf(body) }),
    },
  }
}

function inCommon({ count, types, headers, body }: ObservedAnswer): ExpectedAnswer {
  const names = [...headers.keys()].filter((name) => !isPassing(name))
  const isEnough = count >= MIN_ALWAYS
  return {
    ...ANY_ANSWER,
    types: isChosen(types) ? [] : [...types],
    headers: isEnough ? names.filter((name) => headers.get(name) === count) : [],
    known: count >= ENOUGH ? new Set(headers.keys()) : undefined,
    compare: body.count > 0 ? comparisonOf(body) : undefined,
  }
}

// Files are of any type that their owners chose.
function isChosen(types: ReadonlySet<string>): boolean {
  const isPlain = (type: string): boolean => ['text', 'binary'].includes(contentKindOf(type))
  return types.size > 2 || (types.size === 2 && [...types].every(isPlain))
}

function comparisonOf(seen: Observation): CompareValue | undefined {
  const model = schemaOf(seen, 'comparison')
  return typeof model === 'boolean' ? undefined : compareWith(model)
}

// Which names a query has, and not which values: these are chosen by clients.
function compareNames({ count, objects: { fields } }: Observation): CompareValue {
  return compareWith({
    type: 'object',
    properties: Object.fromEntries([...fields.keys()].map((name) => [name, true])),
    required: [...fields].filter(([, part]) => part.count === count).map(([name]) => name),
    // A model without any field would say nothing.
    ...(fields.size === 0 && { patternProperties: { '^$': true } }),
  })
}
