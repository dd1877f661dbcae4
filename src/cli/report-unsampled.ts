import { oneLine } from '../loaders/problem.ts'
import type { UnansweredSample } from '../loaders/sampling/sample-routes.ts'
import { ExportIncomplete } from '../errors.ts'
import { counted } from './counted.ts'

/** @throws ExportIncomplete with a line for each route that gave no answer, when there are any */
export function reportUnsampled(samples: readonly UnansweredSample[]): void {
  if (samples.length === 0) return
  const lines = samples.map(({ route, reason }) => {
    const own = reason.startsWith(`${route.key}: `) ? reason.slice(route.key.length + 2) : reason
    return `${route.key}: ${oneLine(own)}`
  })
  throw new ExportIncomplete(
    [...lines, `${counted(samples.length, 'route')} could not be sampled`].join('\n'),
  )
}
