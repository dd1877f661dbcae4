import { setImmediate } from 'node:timers/promises'
import { lazy } from '../../engine/lazy.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { COMPARED } from './baseline.ts'
import { createDriftLog, type DriftReport } from './drift-log.ts'
import type { Finding } from '../../shape/finding.ts'
import type { Sample } from '../inference/sample.ts'
import type { ComparisonOptions } from './compare-observed.ts'
import type { Observed } from './observe.ts'

/** Compares exchanges with upstreams after they have ended, one after another. */
export interface DriftWatch {
  /** Takes an exchange, of a declared route or of none. It is not compared when too many wait to be. */
  note(observed: Observed, route: RouteDefinition | undefined): void
  /** Notes that an exchange was not compared. */
  skip(): void
  /** What drifted, of all exchanges that were taken before. */
  report(): Promise<DriftReport>
  clear(): void
}

/** What exchanges are compared with, and who hears of differences. */
interface DriftOptions extends ComparisonOptions {
  /** Hears of each difference once. */
  readonly onDrift: (sample: Sample, finding: Finding) => void
}

const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 32 * 1024 * 1024

/** A watch that has seen nothing. What compares is loaded when there is something to compare. */
export function createDriftWatch(options: DriftOptions): DriftWatch {
  const log = createDriftLog()
  const comparison = lazy(async () => (await import('./compare-observed.ts')).createComparison(options))
  if (options.isEager === true) void comparison()
  const waiting = { exchanges: 0, bytes: 0 }
  let count = 0
  let working = Promise.resolve()

  const compare = async (observed: Observed, route: RouteDefinition | undefined): Promise<void> => {
    // What is under way goes first.
    await setImmediate()
    const compareObserved = await comparison()
    const { name, sample, findings } = await compareObserved(observed, route, count++)
    for (const each of log.add(name, sample, findings)) options.onDrift(sample, each)
  }
  return {
    note(observed, route) {
      if (!COMPARED.has(observed.request.method)) return
      const bytes = bytesOf(observed)
      if (waiting.exchanges >= MAX_WAITING || waiting.bytes + bytes > MAX_WAITING_BYTES) return log.skip()
      waiting.exchanges++
      waiting.bytes += bytes
      working = working
        .then(() => compare(observed, route))
        .catch((error: unknown) => {
          log.skip()
          options.onError(error as Error)
        })
        .finally(() => {
          waiting.exchanges--
          waiting.bytes -= bytes
        })
    },
    skip: () => log.skip(),
    async report() {
      await working
      return log.report()
    },
    clear() {
      count = 0
      log.clear()
    },
  }
}

function bytesOf({ sent, received }: Observed): number {
  return [sent, received].reduce((sum, body) => sum + ('bytes' in body ? (body.bytes?.length ?? 0) : 0), 0)
}
