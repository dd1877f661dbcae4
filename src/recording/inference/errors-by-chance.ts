import { hash } from 'node:crypto'
import { entryOf } from '../../grouping.ts'
import type { Exchange } from '../exchange.ts'
import { readExchanges } from '../files/recording-files.ts'
import { namesCaller } from './callers.ts'
import { lastWrites, noteWrite, resourceOf, writeOf } from '../replay/writes.ts'

/** How often one request was answered, and how. */
interface Outcomes {
  readonly statuses: Set<number>
  /** Places of failures whose status says that the server was to blame, or busy. */
  readonly failures: number[]
  count: number
  /** What had been written when it was answered well last. */
  fineAfter?: string
  /** Places of refusals since then, while nothing was written. */
  refusals: number[]
}

/** A request that always failed did so by chance if that is not rarer than this. */
const RARE = 0.001

/**
 * The exchanges that failed by chance, by their place in the recording from 0: where the server was at fault or busy
 * (5xx, 408, 425 and 429), unless the very same request failed so often, and never otherwise, that chance hardly does
 * that; and any other failure before and after which the same request was answered well, while nothing was written that
 * concerns it.
 * Where nothing was answered well, nothing failed by chance.
 * @throws RecordingUnusable as `readExchanges` does
 */
export async function errorsByChance(recording: string): Promise<Set<number>> {
  const requests = new Map<string, Outcomes>()
  const places = new Map<string, number>()
  const chance = new Set<number>()
  let [count, failed] = [0, 0]
  for await (const exchange of readExchanges(recording)) {
    const index = count++
    const { request, response } = exchange
    const { status } = response
    if (status === 101) continue
    const outcomes = entryOf(requests, keyOf(exchange), createOutcomes)
    outcomes.count++
    outcomes.statuses.add(status)
    const { host, pathname } = new URL(request.url)
    const resource = resourceOf(host, pathname)
    const before = Object.values(lastWrites(places, resource)).join()
    if (outcomes.fineAfter !== before) outcomes.refusals = []
    if (isServersFault(status)) {
      failed++
      outcomes.failures.push(index)
    } else if (status >= 400) outcomes.refusals.push(index)
    else {
      if (outcomes.fineAfter === before) for (const each of outcomes.refusals) chance.add(each)
      const write = writeOf(request.method, status, resource, undefined)
      if (write !== undefined) noteWrite(places, write, index)
      outcomes.fineAfter = Object.values(lastWrites(places, resource)).join()
      outcomes.refusals = []
    }
  }
  for (const outcomes of requests.values()) {
    const { failures } = outcomes
    const others = count - outcomes.count
    const share = others === 0 ? 1 : (failed - failures.length) / others
    const isAlways = outcomes.statuses.size === 1 && outcomes.count > 1
    if (isAlways && share ** outcomes.count < RARE) continue
    for (const each of failures) chance.add(each)
  }
  return chance.size < count ? chance : new Set()
}

function createOutcomes(): Outcomes {
  return { statuses: new Set(), failures: [], count: 0, refusals: [] }
}

// 501 and 505 say what the server cannot do at all.
function isServersFault(status: number): boolean {
  return (status >= 500 && status !== 501 && status !== 505) || [408, 425, 429].includes(status)
}

const ASKING = /^(accept|range|if-.*|x-amz-target|soapaction)$/i

function keyOf({ request: { method, url, headers, postData } }: Exchange): string {
  const asking = headers
    .filter(({ name }) => ASKING.test(name) || namesCaller(name.toLowerCase()))
    .map(({ name, value }) => [name, value])
  const said = [method, url, postData?.text ?? postData?._sha256, asking]
  return hash('sha256', JSON.stringify(said), 'base64')
}
