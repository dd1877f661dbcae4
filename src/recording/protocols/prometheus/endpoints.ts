import type { Call } from '../../calls/call.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import { endpointBelow, type paramsIn } from '../endpoints.ts'
import { numberOf } from './parse-promql.ts'
import { Refusal } from './refusal.ts'

/** The parameters of a request, from its query and its form. */
export type Params = ReturnType<typeof paramsIn>

/** What a request is for: `query`, `label/job` and so on; `undefined` for what is not below the root. */
export function endpointOf(call: Call, root: string): string | undefined {
  const rest = endpointBelow(call, root)
  const [, label] = /^label\/([^/]+)\/values$/.exec(rest ?? '') ?? []
  return label === undefined ? rest : `label/${decodeSegment(label)}`
}

/** Whether a label may have the name, as it was before Prometheus 3. */
export function isLabelName(name: string): boolean {
  return /^[a-z_]\w*$/i.test(name)
}

/** The selectors of series that a request has. */
export function matchesIn(params: Params): readonly string[] {
  const given = params['match[]'] ?? params['match']
  return given === undefined ? [] : [given].flat().map(String)
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const ISO = /^\d{4}-\d\d(-\d\d(T.+)?)?$/i

/** A time in seconds since 1970, as a number or as RFC 3339 has it. @throws Refusal for any other text */
export function timeIn(params: Params, name: string, usual?: number): number {
  const value = textIn(params[name])
  if (value === '' && usual !== undefined) return usual
  const time = /^-?[\d.]+(e[+-]?\d+)?$/i.test(value)
    ? Number(value)
    : ISO.test(value)
      ? Date.parse(value) / 1000
      : NaN
  if (!Number.isFinite(time)) throw new Refusal('parameter', { name, value, type: 'timestamp' })
  return time
}

/** A duration in seconds, such as `15` or `1m`. @throws Refusal for any other text */
export function durationIn(params: Params, name: string): number {
  const value = textIn(params[name])
  const seconds = value === '' ? NaN : numberOf(value)
  if (!Number.isFinite(seconds)) throw new Refusal('parameter', { name, value, type: 'duration' })
  return seconds
}
