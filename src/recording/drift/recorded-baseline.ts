import type { Sample } from '../inference/sample.ts'
import {
  ANY_ANSWER,
  COMPARED,
  essenceOf,
  type Baseline,
  type ExpectedAnswer,
  type ExpectedRoute,
} from './baseline.ts'
import { createComparison, type CompareValue } from './compare-value.ts'
import { expectedModel } from './expected-model.ts'
import { isPassing } from './passing-headers.ts'
import type { ReadSamples } from './read-samples.ts'
import { recordedRoutes } from './recorded-routes.ts'
import { createSeen, see, type Seen } from './seen.ts'

/** A header that came this often, and every time, always comes. */
const LEAST_ALWAYS = 3
/** After so many answers it is known which headers there are, and after so many requests what clients send. */
const ENOUGH = 12
/**
 * What the exchanges of a recording have in common, by route and status. It is read thrice, one exchange at a time.
 * @param others samples that are compared with it: they help to tell values in paths from names
 */
export async function recordedBaseline(read: ReadSamples, others?: ReadSamples): Promise<Baseline> {
  const nameRoute = await recordedRoutes(read, others)
  const routes = new Map<string, SeenRoute>()
  for await (const sample of read()) {
    const name = COMPARED.has(sample.method) ? nameRoute(sample) : undefined
    if (name === undefined) continue
    const route = routes.get(name) ?? createSeenRoute()
    routes.set(name, route)
    seeSample(route, sample)
  }
  const expected = new Map([...routes].map(([name, route]) => [name, expect(name, route)]))
  return (request) => expected.get(nameRoute(request) ?? '')
}

interface SeenRoute {
  readonly answers: Map<number, SeenAnswer>
  readonly query: Seen
  readonly body: Seen
}

interface SeenAnswer {
  count: number
  readonly types: Set<string>
  readonly headers: Map<string, number>
  readonly body: Seen
}

function createSeenRoute(): SeenRoute {
  return { answers: new Map(), query: createSeen(), body: createSeen() }
}

function seeSample({ answers, query, body }: SeenRoute, sample: Sample): void {
  const { status, mimeType, responseHeaders, response } = sample
  const answer = answers.get(status) ?? { count: 0, types: new Set(), headers: new Map(), body: createSeen() }
  answers.set(status, answer)
  answer.count++
  answer.types.add(essenceOf(mimeType))
  for (const name of Object.keys(responseHeaders))
    answer.headers.set(name, (answer.headers.get(name) ?? 0) + 1)
  // What a failure says in particular is nothing to rely on.
  if (status >= 400) return
  if (response !== undefined && sample.method !== 'HEAD') see(answer.body, response)
  see(query, sample.query)
  if (sample.body !== undefined) see(body, sample.body)
}

function expect(name: string, { answers, query, body }: SeenRoute): ExpectedRoute {
  const expected = new Map([...answers].map(([status, seen]) => [status, inCommon(seen)]))
  return {
    name,
    statuses: [...answers.keys()].toSorted((a, b) => a - b),
    answer: (status) => expected.get(status),
    input: {
      ...(query.count >= ENOUGH && { query: compareNames(query) }),
      ...(body.count >= ENOUGH && { body: comparisonOf(body) }),
    },
  }
}

function inCommon({ count, types, headers, body }: SeenAnswer): ExpectedAnswer {
  const names = [...headers.keys()].filter((name) => !isPassing(name))
  const isEnough = count >= LEAST_ALWAYS
  return {
    ...ANY_ANSWER,
    // Where there never was a type, there never was a body.
    types: [...types].every((type) => type === '') ? [] : [...types],
    headers: isEnough ? names.filter((name) => headers.get(name) === count) : [],
    known: count >= ENOUGH ? new Set(headers.keys()) : undefined,
    compare: body.count > 0 ? comparisonOf(body) : undefined,
  }
}

function comparisonOf(seen: Seen): CompareValue | undefined {
  const model = expectedModel(seen)
  return typeof model === 'boolean' ? undefined : createComparison(model)
}

// Which names a query has, and not which values: these are chosen by clients.
function compareNames({ count, fields }: Seen): CompareValue {
  const always = [...fields].filter(([, part]) => part.count === count).map(([name]) => name)
  return createComparison({
    type: 'object',
    properties: Object.fromEntries([...fields.keys()].map((name) => [name, true])),
    required: always,
    // A model without any field would say nothing.
    ...(fields.size === 0 && { patternProperties: { '^$': true } }),
  })
}
