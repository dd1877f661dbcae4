import { setImmediate } from 'node:timers/promises'
import type { Route } from '../../engine/route.ts'
import { captureBody } from '../../recording/capture-body.ts'
import type { Baseline } from '../../recording/drift/baseline.ts'
import { routeName } from '../../recording/drift/compare-exchanges.ts'
import { compareSample } from '../../recording/drift/compare-sample.ts'
import { expectRoutes } from '../../recording/drift/declared-baseline.ts'
import { createDriftLog, type DriftReport } from '../../recording/drift/drift-log.ts'
import type { Finding } from '../../recording/drift/finding.ts'
import { samplesIn } from '../../recording/drift/read-samples.ts'
import { recordedBaseline } from '../../recording/drift/recorded-baseline.ts'
import { COMPARED } from '../../recording/drift/recorded-routes.ts'
import { buildExchange, mayHaveBody } from '../../recording/har.ts'
import { sampleOf, type Sample } from '../../recording/infer/sample.ts'
import { redact } from '../../recording/redact.ts'
import type { Observed } from './observe.ts'

/** Compares exchanges with upstreams after they have ended, one after another. */
export interface DriftWatch {
  /** Takes an exchange, of a declared route or of none. It is not compared when too many wait to be. */
  note(observed: Observed, route: Route | undefined): void
  /** What drifted, of all exchanges that were taken before. */
  report(): Promise<DriftReport>
  clear(): void
}

/** What exchanges are compared with, and who hears of differences. */
export interface DriftOptions {
  readonly isStateful: boolean
  /** Directory of the recording that says what is expected where nothing is declared. */
  readonly recording?: string | undefined
  /** Whether to read it before anything is compared with it. */
  readonly isEager?: boolean
  /** Hears of each difference once. */
  readonly onDrift: (sample: Sample, finding: Finding) => void
  readonly onError: (error: Error) => void
}

const MOST_WAITING = 1000
const MOST_WAITING_BYTES = 32 * 1024 * 1024

/** A watch that has seen nothing. What is expected of a route is compiled once, when it is first asked for. */
export function createDriftWatch(options: DriftOptions): DriftWatch {
  const log = createDriftLog()
  const expectRoute = expectRoutes(options.isStateful)
  const baseline = once(() => readBaseline(options))
  if (options.isEager === true) void baseline()
  const waiting = { exchanges: 0, bytes: 0 }
  let count = 0
  let working = Promise.resolve()

  const compare = async (observed: Observed, route: Route | undefined): Promise<void> => {
    // What is under way goes first.
    await setImmediate()
    const sample = await sampleOfObserved(observed, count++)
    const expected = route === undefined ? (await baseline())?.(sample) : expectRoute(route)
    const found = log.add(routeName(sample, expected), sample, compareSample(sample, expected))
    for (const each of found) options.onDrift(sample, each)
  }
  return {
    note(observed, route) {
      if (!COMPARED.has(observed.request.method)) return
      const bytes = bytesOf(observed)
      if (waiting.exchanges >= MOST_WAITING || waiting.bytes + bytes > MOST_WAITING_BYTES) return log.skip()
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

async function readBaseline({ recording, onError }: DriftOptions): Promise<Baseline | undefined> {
  if (recording === undefined) return undefined
  return recordedBaseline(samplesIn(recording)).catch((error: unknown) => {
    onError(error as Error)
    return undefined
  })
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

// As it would be read from a recording: without secrets, so that none is in what is told.
async function sampleOfObserved(
  { request, sent, response, received }: Observed,
  index: number,
): Promise<Sample> {
  const hasBody = mayHaveBody(request.method, response.status)
  const exchange = buildExchange({
    startedAt: new Date(0),
    timings: { send: 0, wait: 0, receive: 0 },
    request,
    requestBody: await captureBody(sent, request.headers),
    response,
    responseBody: hasBody ? await captureBody(received, response.headers) : undefined,
  })
  return sampleOf(redact(exchange), index)
}

function bytesOf({ sent, received }: Observed): number {
  return [sent, received].reduce((sum, body) => sum + ('bytes' in body ? (body.bytes?.length ?? 0) : 0), 0)
}
