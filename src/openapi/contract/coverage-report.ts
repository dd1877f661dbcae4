import type { DescribedOperation } from './described-operation.ts'
import type { BrokenRule, MediaTypeCounts } from './coverage-counts.ts'

/** What of a description was seen, of requests and answers. Its form as JSON is stable. */
export interface CoverageReport {
  readonly check: 'off' | 'report' | 'enforce'
  /** How many there are of each, and how many were seen. */
  readonly totals: Readonly<Record<CoverageKind, Share>>
  /** Those of requests for what is not declared among them. */
  readonly violations: number
  /** In the description's order. */
  readonly operations: readonly OperationCoverage[]
}

export type CoverageKind = 'operations' | 'parameters' | 'statuses' | 'media_types' | 'fields'

/** A part of a whole. */
export interface Share {
  readonly seen: number
  readonly total: number
}

/** What was seen of one operation. */
export interface OperationCoverage {
  readonly operation: string
  /** File, line and JSON pointer, such as `api.yaml:12 #/paths/~1pets/get`; absent where no file has it. */
  readonly place?: string
  readonly requests: number
  readonly violations: number
  /** Each different one once; items of a list are `-` in its pointer. */
  readonly broken: readonly BrokenRule[]
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly count: number }[]
  /** Bodies of requests, by declared media type. */
  readonly request: readonly MediaTypeCoverage[]
  readonly responses: readonly {
    readonly status: string
    readonly count: number
    readonly media_types: readonly MediaTypeCoverage[]
  }[]
}

interface MediaTypeCoverage {
  readonly media_type: string
  readonly count: number
  /** By JSON pointer; `-` is any item of a list. Those of a media type that was not seen are not listed. */
  readonly fields: readonly { readonly pointer: string; readonly count: number }[]
}

/** What was seen of operations. */
export function coverageReport(
  operations: readonly DescribedOperation[],
  check: CoverageReport['check'],
  violations = 0,
): CoverageReport {
  const all = operations.map(coverageOf)
  const parameters = all.flatMap((each) => each.parameters)
  const responses = all.flatMap((each) => each.responses)
  const types = all.flatMap((each) => [...each.request, ...each.responses.flatMap((one) => one.media_types)])
  return {
    check,
    totals: {
      operations: shareOf(all.map(({ requests }) => requests)),
      parameters: shareOf(parameters.map(({ count }) => count)),
      statuses: shareOf(responses.map(({ count }) => count)),
      media_types: shareOf(types.map(({ count }) => count)),
      fields: shareOf(types.flatMap(({ fields }) => fields.map(({ count }) => count))),
    },
    violations,
    operations: all,
  }
}

function shareOf(counts: readonly number[]): Share {
  return { seen: counts.filter((count) => count > 0).length, total: counts.length }
}

function coverageOf({ key, description, counts }: DescribedOperation): OperationCoverage {
  const { parameters, body, responses, place } = description
  return {
    operation: key,
    ...(!place.startsWith(GENERATED) && { place }),
    requests: counts.requests,
    violations: counts.violations,
    broken: [...counts.broken.values()],
    parameters: parameters.map(({ name, in: where }, index) => ({
      in: where,
      name,
      count: counts.parameters[index] ?? 0,
    })),
    request: [...(body?.content.keys() ?? [])].map((range) => typeOf(range, counts.requestType(range))),
    responses: responses.map((rule) => ({
      status: String(rule.status),
      count: counts.responses.get(rule)?.count ?? 0,
      media_types: [...rule.content.keys()].map((range) => typeOf(range, counts.responseType(rule, range))),
    })),
  }
}

/** What the description of routes of code is called, which is in no file. */
export const GENERATED = '<routes>'

function typeOf(range: string, { count, fields }: MediaTypeCounts): MediaTypeCoverage {
  return { media_type: range, count, fields: count > 0 ? fields.all() : [] }
}

/** The report where nothing is checked. */
export function emptyCoverage(): CoverageReport {
  return coverageReport([], 'off')
}
