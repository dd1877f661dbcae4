import type { Sample } from '../inference/sample.ts'
import { COMPARED, type Asked, type Baseline, type ExpectedRoute } from './baseline.ts'
import { compareSample } from './compare-sample.ts'
import { createDriftLog, type DriftReport } from './drift-log.ts'
import type { Finding } from './finding.ts'
import { templateOf } from './recorded-routes.ts'

/** What of the exchanges is left out. */
export interface Leaving {
  /** Whether a difference at a pointer does not count. */
  readonly pointer?: ((pointer: string) => boolean) | undefined
  /** Whether exchanges with a path are not compared. */
  readonly path?: ((path: string) => boolean) | undefined
}

/** Compares exchanges one by one with what is known, by route. */
export async function compareExchanges(
  samples: AsyncIterable<Sample> | Iterable<Sample>,
  baseline: Baseline,
  { pointer = never, path = never }: Leaving = {},
): Promise<DriftReport> {
  const log = createDriftLog()
  const counts = (found: Finding): boolean => found.pointer === '' || !pointer(found.pointer)
  for await (const sample of samples) {
    if (!COMPARED.has(sample.method) || path(`/${sample.segments.join('/')}`)) continue
    const expected = baseline(sample)
    log.add(routeName(sample, expected), sample, compareSample(sample, expected).filter(counts))
  }
  return log.report()
}

/** The name of the route that an exchange is counted under. */
export function routeName(asked: Asked, expected: ExpectedRoute | undefined): string {
  return expected?.name ?? `${asked.method} ${templateOf(asked)}`
}

function never(): boolean {
  return false
}
