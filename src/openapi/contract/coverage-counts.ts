import type { MediaType, Operation, ResponseRule } from '../../engine/operation.ts'
import type { ContractViolation } from '../../engine/contract-violation.ts'
import { entryOf } from '../../grouping.ts'
import { createFieldCounts, type FieldCounts } from './coverage-fields.ts'

/** What was seen of one media type. */
export interface MediaTypeCounts {
  count: number
  readonly fields: FieldCounts
}

/** What was seen of one declared response. */
interface ResponseCounts {
  count: number
  readonly types: Map<string, MediaTypeCounts>
}

/** A violation, and how often it came. */
export interface BrokenRule extends ContractViolation {
  readonly count: number
}

const MAX_BROKEN = 100

/** What was seen of one operation. */
export interface OperationCounts {
  requests: number
  violations: number
  /** Each different violation once, up to a hundred, and how often it came. */
  readonly broken: Map<string, BrokenRule>
  /** How often each parameter had a value, by its place among them. */
  readonly parameters: number[]
  readonly responses: ReadonlyMap<ResponseRule, ResponseCounts>
  requestType(range: string): MediaTypeCounts
  responseType(rule: ResponseRule, range: string): MediaTypeCounts
  violated(violation: ContractViolation): void
  /** Notes a body of a request: once by its media type, and once more with its value. */
  request(range: string, value?: unknown): void
  /** Notes an answer: once by its head, and once more with the value of its body. */
  answer(rule: ResponseRule, range: string | undefined, value?: unknown): void
}

/** Nothing was seen yet. */
export function createCounts({ body, parameters }: Operation): OperationCounts {
  const requestTypes = new Map<string, MediaTypeCounts>()
  const responses = new Map<ResponseRule, ResponseCounts>()
  const response = (rule: ResponseRule): ResponseCounts =>
    entryOf(responses, rule, (): ResponseCounts => ({ count: 0, types: new Map() }))
  const requestType = (range: string): MediaTypeCounts =>
    entryOf(requestTypes, range, () => createTypeCounts(body?.content.get(range)))
  const responseType = (rule: ResponseRule, range: string): MediaTypeCounts =>
    entryOf(response(rule).types, range, () => createTypeCounts(rule.content.get(range)))
  const note = (counts: MediaTypeCounts, value: unknown): void => {
    if (value === undefined) counts.count++
    else counts.fields.note(value)
  }
  const broken = new Map<string, BrokenRule>()
  return {
    requests: 0,
    violations: 0,
    broken,
    parameters: parameters.map(() => 0),
    responses,
    requestType,
    responseType,
    violated(violation) {
      this.violations++
      const { side, part, rule, message } = violation
      // Items of a list are mostly wrong alike.
      const pointer = violation.pointer.replaceAll(/\/\d+(?=\/|$)/g, '/-')
      const key = [side, part, pointer, rule].join(' ')
      const known = broken.get(key)
      if (known === undefined && broken.size >= MAX_BROKEN) return
      broken.set(key, { side, part, pointer, rule, message, count: (known?.count ?? 0) + 1 })
    },
    request: (range, value) => note(requestType(range), value),
    answer(rule, range, value) {
      if (value === undefined) response(rule).count++
      if (range !== undefined) note(responseType(rule, range), value)
    },
  }
}

function createTypeCounts(media: MediaType | undefined): MediaTypeCounts {
  return { count: 0, fields: createFieldCounts(() => media?.model) }
}
