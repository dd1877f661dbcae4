import type { Schema } from '../../engine/model/schema.ts'
import { createRouteTable } from '../../engine/route-table.ts'
import { createRoute, type Method } from '../../engine/route.ts'
import { foldPaths } from '../infer/fold-paths.ts'
import { groupBy } from '../infer/group-by.ts'
import { findMentions } from '../infer/mentions.ts'
import { sharedModel } from '../infer/output-model.ts'
import type { Sample } from '../infer/sample.ts'
import {
  ANY_ANSWER,
  essenceOf,
  pathOf,
  type Baseline,
  type ExpectedAnswer,
  type ExpectedRoute,
} from './baseline.ts'
import { createComparison } from './compare-value.ts'

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
/** A header that came this often, and every time, is one of the answer. */
const LEAST_ALWAYS = 3
/** Headers of the connection and of the moment, which come and go. */
const PASSING =
  /^(date|age|connection|keep-alive|transfer-encoding|content-length|content-encoding|vary|etag|last-modified|server|via|alt-svc|set-cookie|content-type|x-(powered-by|cache.*|request-id|runtime|response-time))$/

/**
 * What the answers of a recording have in common, by route and status.
 * @param others samples that are compared with it: they help to tell values in paths from names
 */
export function recordedBaseline(samples: readonly Sample[], others: readonly Sample[] = []): Baseline {
  const usable = samples.filter(({ method }) => METHODS.has(method))
  const known = new Set(usable)
  // No two exchanges may have one number.
  const more = others.map((sample, index) => ({ ...sample, index: samples.length + index }))
  const together = [...usable, ...more]
  const all = foldPaths(together, findMentions(together)).flatMap(({ path, samples: own }) =>
    own.filter((sample) => known.has(sample)).map((sample) => ({ path, sample })),
  )
  // The same API at two hosts is one.
  const byRoute = groupBy(all, ({ path, sample }) => `${sample.method} ${path}`)
  const expected = new Map(
    [...byRoute].map(([name, own]) => [
      name,
      expect(
        name,
        own.map(({ sample }) => sample),
      ),
    ]),
  )
  const table = createRouteTable(
    [...byRoute.values()].flatMap(([first]) =>
      first === undefined ? [] : [createRoute(first.sample.method as Method, first.path, {})],
    ),
  )
  return (request) => {
    const route = table.match(request.method, pathOf(request))?.route
    return route && expected.get(route.key)
  }
}

function expect(name: string, samples: readonly Sample[]): ExpectedRoute {
  const answers = new Map(
    [...groupBy(samples, ({ status }) => status)].map(([status, own]) => [status, inCommon(status, own)]),
  )
  return {
    name,
    statuses: [...answers.keys()].toSorted((a, b) => a - b),
    answer: (status) => answers.get(status),
  }
}

function inCommon(status: number, samples: readonly Sample[]): ExpectedAnswer {
  const headers = samples.length < LEAST_ALWAYS ? [] : headersOfAll(samples)
  // What a failure says in particular is nothing to rely on.
  if (status >= 400) return { ...ANY_ANSWER, types: typesOf(samples), headers }
  const values = samples.flatMap(({ response }) => (response === undefined ? [] : [response]))
  const compare = values.length === 0 ? undefined : createComparison(unbounded(sharedModel([values])))
  return { types: typesOf(samples), headers, compare }
}

function typesOf(samples: readonly Sample[]): string[] {
  return [...new Set(samples.map(({ mimeType }) => essenceOf(mimeType)))].filter((type) => type !== '')
}

function headersOfAll(samples: readonly Sample[]): string[] {
  const [first, ...others] = samples.map(({ responseHeaders }) => responseHeaders)
  return Object.keys(first ?? {}).filter(
    (name) => !PASSING.test(name) && others.every((headers) => Object.hasOwn(headers, name)),
  )
}

const BOUNDS = new Set(['minimum', 'maximum', 'minLength', 'minItems'])

// The next number may well be larger than those that were seen. A field of such a name has a model, not a number.
function unbounded(model: Schema): Schema {
  const text = JSON.stringify(model, (key, value: unknown) =>
    BOUNDS.has(key) && typeof value === 'number' ? undefined : value,
  )
  return JSON.parse(text) as Schema
}
