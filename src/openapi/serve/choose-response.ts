import { ResponseNotDeclared } from '../../errors.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { Operation, ResponseRule } from '../../engine/operation.ts'

/** A route that an OpenAPI description declares. */
export interface OpenApiRoute extends RouteDefinition {
  readonly operation: Operation
}

/** A declared response, and the status it is answered with. */
export interface ChosenResponse {
  readonly status: number
  readonly rule: ResponseRule
}

/**
 * The response of a request that prefers none: the first 2XX by number, then `2XX`, a redirect, `default`, and where
 * nothing succeeds the first that is declared and ends a request, as 1XX do not. Without any it is an empty 200.
 */
export function successOf({ responses }: Operation, wanted?: number): ChosenResponse {
  const named = wanted === undefined ? undefined : ruleOf(responses, wanted)
  if (named !== undefined && wanted !== undefined) return { status: wanted, rule: named }
  const rule =
    lowest(responses, 2) ??
    responses.find(({ status }) => status === '2XX') ??
    lowest(responses, 3) ??
    responses.find(({ status }) => status === '3XX') ??
    responses.find(({ status }) => status === 'default') ??
    responses.find(({ status }) => !String(status).startsWith('1'))
  return rule === undefined ? { status: 200, rule: NOTHING } : { status: statusOf(rule), rule }
}

const NOTHING: ResponseRule = { status: 200, content: new Map(), headers: [] }

/** Whether an operation describes what may fail, and no success: what is stored then succeeds undescribed. */
export function describesFailuresAlone({ responses }: Operation): boolean {
  return responses.length > 0 && responses.every(({ status }) => /^[145]/.test(String(status)))
}

/** The answer of an operation to what it stored: its success, or one without content where only failures are described. */
export function storedOf(route: OpenApiRoute): ChosenResponse {
  const { operation, method, options } = route
  if (!describesFailuresAlone(operation)) return successOf(operation, options.status)
  return { status: method === 'DELETE' ? 204 : 200, rule: NOTHING }
}

/**
 * The response for a status: of that number, else of its class, else `default`.
 * @throws ResponseNotDeclared when the operation declares none of them
 */
export function responseFor({ responses }: Operation, code: string, route: string): ChosenResponse {
  const status = /^[2-5]\d\d$/.test(code) ? Number(code) : undefined
  const rule = status === undefined ? undefined : ruleOf(responses, status)
  if (status !== undefined && rule !== undefined) return { status, rule }
  throw new ResponseNotDeclared(
    route,
    code,
    responses.map((each) => String(each.status)),
  )
}

/** The rule for a status, if the operation declares one. */
export function ruleOf(responses: readonly ResponseRule[], status: number): ResponseRule | undefined {
  return (
    responses.find((rule) => rule.status === status) ??
    responses.find((rule) => rule.status === `${Math.floor(status / 100)}XX`) ??
    responses.find((rule) => rule.status === 'default')
  )
}

function lowest(responses: readonly ResponseRule[], hundreds: number): ResponseRule | undefined {
  return responses
    .filter(({ status }) => typeof status === 'number' && Math.floor(status / 100) === hundreds)
    .toSorted((a, b) => Number(a.status) - Number(b.status))[0]
}

function statusOf({ status }: ResponseRule): number {
  if (typeof status === 'number') return status
  return status === 'default' ? 200 : Number(status[0]) * 100
}

/** Whether a route's successful answer has a header that says where the new item is. */
export function hasLocation({ operation, options }: RouteDefinition): boolean {
  if (operation === undefined) return false
  const { headers } = successOf(operation, options.status).rule
  return headers.some(({ name }) => name.toLowerCase() === 'location')
}
