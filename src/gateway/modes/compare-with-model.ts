import { createChecker } from '../../engine/model/checker.ts'
import type { Route } from '../../engine/route.ts'
import type { Observed } from './observe.ts'

const MOST_TOLD = 10

/** How an answer differs from what a declared route says of it. */
export function compareWithModel(route: Route, { head, body }: Observed): string[] {
  const { output, status: declared, scenario = [], errors = [] } = route.options
  const wanted = declared ?? (route.method === 'DELETE' && output === undefined ? 204 : 200)
  const known = [wanted, ...scenario.map(({ status }) => status), ...errors.map(({ status }) => status)]
  const drift = known.includes(head.status) ? [] : [`status ${head.status} instead of ${wanted}`]
  if (output === undefined || head.status !== wanted || body === undefined || body.length === 0) return drift

  const value = parse(body)
  if (value === undefined) return [...drift, 'the body is no JSON']
  const found = createChecker(output).check(value)
  return [
    ...drift,
    ...found.slice(0, MOST_TOLD).map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`),
  ]
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
