import type { Drift, DriftReport, RouteDrift } from './drift-log.ts'
import type { Finding } from './finding.ts'

/** What drifted, for people to read. */
export function driftText({ routes, skipped, dropped }: DriftReport): string {
  const lines = [
    ...routes.map(routeText),
    ...(dropped > 0
      ? [`${dropped} more ${dropped === 1 ? 'difference' : 'differences'} were found and not kept`]
      : []),
    ...(skipped > 0 ? [`${skipped} ${skipped === 1 ? 'exchange was' : 'exchanges were'} not compared`] : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** A difference in a line. */
export function findingText({ severity, change, part, pointer, expected, actual }: Finding): string {
  const place = pointer === '' ? '' : ` at ${PLACES[part] ?? ''}${pointer}`
  return `${severity}: ${change}${place}: ${expected} -> ${actual}`
}

// That a field is one of the answer's body goes without saying, and a header is called one by its change.
const PLACES: Readonly<Partial<Record<Finding['part'], string>>> = {
  query: 'query ',
  'request-body': 'request body ',
}

function routeText({ route, exchanges, drifts }: RouteDrift): string {
  const of = `${route}: ${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`
  if (drifts.length === 0) return `${of}, no drift`
  return [
    of,
    ...drifts.flatMap((drift) => [`  ${findingText(drift)}`, `    ${timesText(drift, exchanges)}`]),
  ].join('\n')
}

function timesText({ exchanges, example: { number, request, status } }: Drift, all: number): string {
  return `${exchanges} of ${all}, first #${number} ${request} ${status}`
}
