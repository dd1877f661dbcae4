import type { Schema } from '../../engine/model/schema.ts'
import { attachLinks, type FieldLink } from './attach-links.ts'
import { findDateRanges, type DateRange } from './date-ranges.ts'
import { findEchoes, type Echo } from './echo-links.ts'
import { findErrorCases, type ErrorCaseFound } from './error-cases.ts'
import { foldPaths, type Folded } from './fold-paths.ts'
import { groupBy } from './group-by.ts'
import { inputModel } from './input-model.ts'
import { findMentions } from './mentions.ts'
import { outputModel, type OutputModel } from './output-model.ts'
import { findResources, type Resource } from './resources.ts'
import type { Sample } from './sample.ts'

/** The methods that a route can be declared for. */
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** A route as the recorded exchanges show it. */
export interface InferredRoute {
  readonly method: string
  readonly path: string
  readonly input: Schema | undefined
  readonly output: OutputModel | undefined
  readonly status: number
  readonly echoes: readonly Echo[]
  readonly ranges: readonly DateRange[]
  /** The input field that says how many items a list has. */
  readonly listCount: string | undefined
  readonly errors: readonly ErrorCaseFound[]
  readonly samples: readonly Sample[]
  /** What a person should look at. */
  readonly doubts: readonly string[]
}

/** All that a recording tells of an API. */
export interface Inference {
  readonly routes: readonly InferredRoute[]
  /** Collections that answer what was done to them. */
  readonly resources: readonly Resource[]
  /** Exchanges that no route can stand for, by reason. */
  readonly skipped: ReadonlyMap<string, number>
}

/** Infers routes, models, links and collections. The same samples give the same routes. */
export function inferRoutes(samples: readonly Sample[]): Inference {
  const skipped = new Map<string, number>()
  const usable = samples.filter((sample) => {
    const reason = METHODS.has(sample.method) ? undefined : `method ${sample.method}`
    if (reason !== undefined) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
    return reason === undefined
  })
  const folded = foldPaths(usable, findMentions(usable)).map(nameByEchoes)
  const resources = findResources(folded).filter(
    ({ confirmed, contradicted }) => confirmed > contradicted * 4,
  )
  const stored = new Set(resources.map(({ path }) => path))
  const routes = folded.flatMap((each) =>
    [...groupBy(each.samples, ({ method }) => method)].map(([method, own]) =>
      inferRoute(method, { ...each, samples: own }, stored.has(each.path)),
    ),
  )
  return { routes, resources, skipped }
}

// A parameter that answers repeat under a name of their own is called by that name.
function nameByEchoes(folded: Folded): Folded {
  const fine = folded.samples.filter(({ status }) => status < 300)
  const names = new Map<string, string>()
  for (const { field, source } of findEchoes(fine, folded.values)) {
    const name = /(?:^|\.)(\w+)$/.exec(field)?.[1] ?? 'id'
    const isFree = name !== 'id' && !folded.parameters.includes(name) && ![...names.values()].includes(name)
    if (source.in === 'path' && isFree && !names.has(source.name)) names.set(source.name, name)
  }
  return folded.rename((name) => names.get(name) ?? name)
}

function inferRoute(method: string, folded: Folded, isStored: boolean): InferredRoute {
  const { samples } = folded
  const fine = samples.filter(({ status }) => status >= 200 && status < 300)
  const [status = 200, ...otherStatuses] = byFrequency(fine.map((sample) => sample.status))
  const answered = fine.filter((sample) => sample.status === status)
  const output = outputModel(answered)
  const input = inputModel(method, folded, fine)
  const listCount = output?.form === 'list' ? countField(answered) : undefined
  const known = new Set(Object.keys((input?.['properties'] as object | undefined) ?? {}))
  const echoes = findEchoes(answered, folded.values).filter(
    ({ source, field }) => source.in === 'header' || (known.has(source.name) && !isEnvelope(field, output)),
  )
  const ranges = findDateRanges(answered).filter(({ field }) => !echoes.some((echo) => echo.field === field))
  const { cases, unexplained } = findErrorCases(folded, (sample) => isStored && sample.status === 404)
  return {
    method,
    path: folded.path,
    input,
    output,
    status,
    echoes,
    ranges,
    listCount,
    errors: cases,
    samples,
    doubts: [
      ...otherStatuses.map((other) => `also answered ${other}, which is not simulated`),
      ...[...unexplained].map(
        ([code, times]) => `answered ${code} ${times} times for no reason that was found`,
      ),
      ...(fine.length === 0 ? ['never succeeded, so that its answer is not known'] : []),
      ...(output === undefined && answered.some(({ response }) => response !== undefined)
        ? ['answers that are not JSON are not simulated']
        : []),
      ...(fine.length === 1 ? ['seen only once'] : []),
    ],
  }
}

/** The model of a route's items or answer, with its links. */
export function linkedModel({ output, echoes, ranges }: InferredRoute): Schema | undefined {
  if (output === undefined) return undefined
  const within = PREFIXES[output.form]
  const links = [
    ...echoes.map(linkOfEcho),
    ...ranges.map(({ field, start, end }) => ({ field, link: { dateRangeFrom: [start, end] } })),
  ]
  const own = links
    .filter(({ field }) => field.startsWith(within))
    .map(({ field, link }) => ({ field: field.slice(within.length), link }))
  return attachLinks(output.model, own)
}

/** An echo as the link that makes it. */
export function linkOfEcho({ field, source }: Echo): FieldLink {
  return { field, link: source.in === 'header' ? { fromHeader: source.name } : { fromInput: source.name } }
}

const PREFIXES: Readonly<Record<OutputModel['form'], string>> = {
  single: '',
  list: '[].',
  page: 'items[].',
  slice: 'items[].',
}

// What the form of the answer itself says is no field of a model.
function isEnvelope(field: string, output: OutputModel | undefined): boolean {
  return output !== undefined && output.form !== 'single' && !field.startsWith(PREFIXES[output.form])
}

function byFrequency(statuses: readonly number[]): number[] {
  return [...groupBy(statuses, (status) => status)]
    .toSorted(([a, as], [b, bs]) => bs.length - as.length || a - b)
    .map(([status]) => status)
}

const COUNTS = /^(limit|per_?page|page_?size|size|count|n|max_?results|top|first)$/i

// A list is never longer than its limit, and often just as long.
function countField(samples: readonly Sample[]): string | undefined {
  const names = new Set(samples.flatMap(({ query }) => Object.keys(query)))
  return [...names].find((name) => {
    if (!COUNTS.test(name)) return false
    const asked = samples.flatMap(({ query, response }) =>
      typeof query[name] === 'string' && Array.isArray(response)
        ? [{ limit: Number(query[name]), length: response.length }]
        : [],
    )
    return (
      asked.every(({ limit, length }) => length <= limit) &&
      asked.some(({ limit, length }) => length === limit)
    )
  })
}
