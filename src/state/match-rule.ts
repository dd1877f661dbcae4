import type { HttpRequest } from '../message.ts'
import { createGlob, createTextGlob } from '../routing/glob.ts'
import type { ChaosMatch, ChaosRule, Range } from './chaos-rule.ts'

/** What a rule looks at. */
export interface Occasion {
  readonly call: Pick<HttpRequest, 'method' | 'path' | 'host' | 'headers'>
  /** How many requests of the route came before. */
  readonly ordinal: number
  /** Seconds since the rules came into force. */
  readonly seconds: number
}

/** Whether a rule is for a request. */
export type MatchRule = (occasion: Occasion) => boolean

/** Compiles the conditions of a rule. */
export function createMatchRule({ match = {}, requests = {}, seconds = {} }: ChaosRule): MatchRule {
  const conditions = Object.values(conditionsOf(match))
  return ({ call, ordinal, seconds: elapsed }) =>
    isWithin(ordinal + 1, requests) && isWithin(elapsed, seconds) && conditions.every((holds) => holds(call))
}

type Condition = (call: Occasion['call']) => boolean

function conditionsOf({ methods, path, host, headers = {} }: ChaosMatch): readonly Condition[] {
  const conditions: Condition[] = Object.entries(headers).map(([name, glob]) => {
    const fits = createTextGlob(glob)
    return (call) => [call.headers[name.toLowerCase()] ?? []].flat().some((value) => fits(value))
  })
  if (methods !== undefined) {
    const upper = new Set(methods.map((method) => method.toUpperCase()))
    conditions.push(({ method }) => upper.has(method))
  }
  if (path !== undefined) {
    const fits = createGlob(path)
    conditions.push((call) => fits(call.path))
  }
  if (host !== undefined) {
    const fits = createTextGlob(host.toLowerCase())
    conditions.push((call) => {
      const called = call.host.toLowerCase()
      return fits(called) || fits(called.replace(/:\d+$/, ''))
    })
  }
  return conditions
}

function isWithin(number: number, { from = -Infinity, to = Infinity }: Range): boolean {
  return from <= number && number <= to
}
