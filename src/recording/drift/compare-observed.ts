import { lazy } from '../../engine/lazy.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { captureBody } from '../capture/body-sink.ts'
import { buildExchange, mayHaveBody } from '../files/har.ts'
import { sampleOf, type Sample } from '../inference/sample.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { compareSample, routeName } from './compare-sample.ts'
import { compareWithSimulated } from './compare-simulated.ts'
import { expectRoutes } from './declared-baseline.ts'
import type { Finding } from '../../shape/finding.ts'
import type { Observed } from './observe.ts'
import { recordedBaseline } from './recorded-baseline.ts'
import { samplesIn } from './recorded-routes.ts'

/** What exchanges are compared with. */
export interface ComparisonOptions {
  readonly isStateful: boolean
  readonly redactor: Redactor
  /** Directory of the recording that says what is expected where nothing is declared. */
  readonly recording?: string | undefined
  /** Whether to read it before anything is compared with it. */
  readonly isEager?: boolean
  /** JSON pointers to values that are compared with simulated ones. */
  readonly values?: readonly string[] | undefined
  readonly onError: (error: Error) => void
}

/**
 * Compares an exchange with its declared route, or with the recording where none is given.
 * @param index how many were compared before
 * @returns what the route is called that the exchange belongs to, and what differs
 */
type CompareObserved = (
  observed: Observed,
  route: RouteDefinition | undefined,
  index: number,
) => Promise<{ readonly name: string; readonly sample: Sample; readonly findings: readonly Finding[] }>

/** What compares exchanges. What is expected of a route is compiled once, when it is first needed. */
export function createComparison(options: ComparisonOptions): CompareObserved {
  const { isStateful, redactor, recording, isEager = false, onError } = options
  const expectRoute = expectRoutes(isStateful)
  const baseline = lazy(async () => {
    if (recording === undefined) return undefined
    return recordedBaseline(samplesIn(recording)).catch((error: unknown) => {
      onError(error as Error)
      return undefined
    })
  })
  if (isEager) void baseline()

  return async (observed, route, index) => {
    const sample = await sampleOfObserved(observed, index, redactor)
    const expected = route === undefined ? (await baseline())?.(sample) : expectRoute(route)
    const name = routeName(sample, expected)
    const { simulated } = observed
    if (simulated === undefined) return { name, sample, findings: compareSample(sample, expected) }
    const other = await sampleOfObserved({ ...observed, ...simulated }, index, redactor)
    return { name, sample, findings: compareWithSimulated(sample, other, expected, options.values) }
  }
}

// As it would be read from a recording: without secrets, so that none is reported.
async function sampleOfObserved(
  { request, sent, response, received }: Observed,
  index: number,
  redactor: Redactor,
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
  const sample = sampleOf(redactor.exchange(exchange), index)
  const isLeftOut = hasBody && !('bytes' in received) && received.wireSize > 0
  return isLeftOut ? { ...sample, isCut: true } : sample
}
