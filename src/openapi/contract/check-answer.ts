import type { MediaType, Operation, ResponseRule } from '../../engine/operation.ts'
import { violationAt, type ContractViolation } from '../../engine/contract-violation.ts'
import { keywordOf } from '../../engine/input-issue.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import type { InputIssue } from '../../errors.ts'
import { createMemo } from '../../memo.ts'
import { essenceOf } from '../../media-type.ts'
import type { Awaitable, FlatHeaders, HttpRequest } from '../../message.ts'
import { matchMediaType } from '../serve/choose-media-type.ts'
import { describesFailuresAlone, ruleOf } from '../serve/choose-response.ts'
import { createParameterReader } from '../serve/parameter-reader.ts'
import { createSources } from '../serve/parameter-source.ts'
import {
  bodyViolation,
  createBodyCheck,
  isCheckable,
  mediaTypeViolation,
  type BodyFinding,
} from './check-body.ts'

/** The head of an answer as it was looked at. */
export interface AnswerHead {
  readonly violations: readonly ContractViolation[]
  /** Of the declared response; absent where there is none. */
  readonly rule?: ResponseRule
  /** The declared media type, where its own falls under one. */
  readonly range?: string
  /** Looks at its body; absent where there is nothing to see. */
  readonly body?: (bytes: Uint8Array) => Awaitable<BodyFinding>
  /** Why its body is not looked at, though it is described. */
  readonly unchecked?: string
}

/** Looks at the answers of one operation, at the head first. */
export type CheckAnswer = (
  method: string,
  status: number,
  headers: FlatHeaders,
  isPart: boolean,
) => AnswerHead

// RFC 9110: these have no content whatever a description says.
const BODILESS = new Set([204, 205, 304])

/** Makes what looks at the answers of an operation. Each response is compiled when it first comes. */
export function createAnswerChecker(operation: Operation): CheckAnswer {
  const { responses } = operation
  const compiled = remembered((rule: ResponseRule) => compileRule(rule))
  const declared = lazy(() => responses.map(({ status }) => status).join(', '))
  return (method, status, headers, isPart) => {
    const rule = ruleOf(responses, status)
    if (rule !== undefined) return compiled(rule)(method, status, headers)
    // What the client's cache has, or which part of an answer it requested, is not a matter of the API.
    const isOfHttp =
      status === 304 || (isPart && (status === 206 || status === 416)) || responses.length === 0
    const isUndescribed = status >= 200 && status < 300 && describesFailuresAlone(operation)
    if (isOfHttp || isUndescribed) return NOTHING
    const message = `${status} is not declared; declared: ${declared()}`
    return { violations: [violationAt('response', 'status', [], 'status', message)] }
  }
}

const NOTHING: AnswerHead = { violations: [] }

function compileRule(
  rule: ResponseRule,
): (method: string, status: number, headers: FlatHeaders) => AnswerHead {
  const { content } = rule
  const checkHeaders = createHeaderCheck(rule)
  const rangeOf = (type: string): string | undefined => matchMediaType(type, content.keys())
  const checks = remembered((range: string) => createBodyCheck('response', content.get(range) as MediaType))
  const undeclared: BodyFinding = {
    violations: [bodyViolation('response', 'The response is declared without a body')],
  }
  const missing: BodyFinding = {
    violations: [bodyViolation('response', 'A body is declared, and there is none')],
  }
  const headOf = (type: string | undefined, coding: string): AnswerHead => {
    const base = { violations: [], rule }
    if (content.size === 0) return { ...base, body: (bytes) => (bytes.length > 0 ? undeclared : NO_FINDING) }
    const range = type === undefined ? undefined : rangeOf(type)
    if (range === undefined || type === undefined) {
      const wrong = mediaTypeViolation('response', type && essenceOf(type), content)
      if (type !== undefined) return { ...base, violations: [wrong] }
      // An answer without a body needs no type.
      return { ...base, body: (bytes) => (bytes.length > 0 ? { violations: [wrong] } : missing) }
    }
    if (!isCheckable(type, content.get(range) as MediaType)) {
      const isStream = /^text\/event-stream|^multipart\/x-mixed-replace/i.test(type)
      return { ...base, range, ...(isStream && { unchecked: 'it is a stream' }) }
    }
    // A text may be empty.
    const empty = /^text\//i.test(type) ? NO_FINDING : missing
    const check = checks(range)
    return { ...base, range, body: (bytes) => (bytes.length > 0 ? check(bytes, type, coding) : empty) }
  }
  // Servers send the same few types again and again.
  const heads = createMemo<AnswerHead>()
  return (method, status, headers) => {
    const violations = checkHeaders(headers)
    if (method === 'HEAD' || BODILESS.has(status)) return { violations, rule }
    const type = valueIn(headers, 'content-type')
    const coding = valueIn(headers, 'content-encoding') ?? ''
    const key = `${coding} ${type ?? ''}`
    const known = heads.get(key)
    const head = known ?? headOf(type, coding)
    if (known === undefined) heads.set(key, head)
    return violations.length === 0 ? head : { ...head, violations: [...violations, ...head.violations] }
  }
}

const NO_FINDING: BodyFinding = { violations: [] }

function createHeaderCheck({ headers: declared }: ResponseRule): (flat: FlatHeaders) => ContractViolation[] {
  if (declared.length === 0) return () => []
  const places = { query: [], template: '/' }
  const takeApart = createSources(places)
  const readers = declared.map((header) => {
    const { name, required, model } = header
    const parameter = { name, in: 'header', required, style: 'simple', explode: false, model } as const
    return createParameterReader(parameter, places, new Set())
  })
  return (flat) => {
    const issues: InputIssue[] = []
    const request: HttpRequest = {
      method: 'GET',
      scheme: 'http',
      host: '',
      path: '/',
      search: '',
      headers: byName(flat),
    }
    const sources = takeApart(request, {})
    for (const read of readers) read(sources, issues)
    return issues.map(({ type, loc, msg }) =>
      violationAt(
        'response',
        'header',
        [String(loc[1]).toLowerCase(), ...loc.slice(2)],
        keywordOf(type),
        msg,
      ),
    )
  }
}

function byName(flat: FlatHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const [name, value] = [(flat[index] as string).toLowerCase(), flat[index + 1] as string]
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined
    headers[name] = known === undefined ? value : [known, value].flat()
  }
  return headers
}

/** The first value of a header; `undefined` where it is not there. @param name in lower case */
export function valueIn(flat: FlatHeaders, name: string): string | undefined {
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const each = flat[index] as string
    if (each.length === name.length && each.toLowerCase() === name) return flat[index + 1]
  }
  return undefined
}
