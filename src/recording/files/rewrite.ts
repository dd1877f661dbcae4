import { createHash } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Exchange } from '../exchange.ts'
import { exchangesPath, readExchangeLines, readLines, sizeOf } from './lines.ts'

/** What of a recording stays. */
interface KeepOptions {
  /** The most exchanges; the oldest go first. */
  readonly maxExchanges?: number | undefined
  /** The most bytes, bodies in files included; the oldest exchanges go first. */
  readonly maxBytes?: number | undefined
  /** Exchanges that began before this moment go. */
  readonly before?: Date | undefined
  /** Whether an exchange goes that says the same as the one before it of the same request. */
  readonly duplicates?: boolean | undefined
  /** Whether a body stays although no exchange names it. */
  readonly isSpared?: ((sha256: string) => boolean) | undefined
  /** Hears how many lines were read until now. */
  readonly onProgress?: ((lines: number) => void) | undefined
}

/** What a recording holds. */
export interface Extent {
  exchanges: number
  /** Of lines and of the bodies that they name. */
  bytes: number
  /** The bodies in files, by SHA-256, with their sizes. */
  readonly bodies: Map<string, number>
}

/** What is left of a recording. */
interface Rewritten extends Extent {
  readonly removed: number
  readonly removedBodies: number
}

interface Candidate {
  readonly number: number
  readonly bytes: number
  readonly bodies: readonly string[]
}

/**
 * Takes exchanges out of a recording that nobody is writing meanwhile, and then the bodies that none names any longer.
 * Until all is done, the old one stays whole.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function rewrite(directory: string, options: KeepOptions): Promise<Rewritten> {
  const path = exchangesPath(directory)
  const candidates: Candidate[] = []
  let total = 0
  const isKept = filterOf(options)
  for await (const { exchange, line } of readExchangeLines(directory)) {
    total++
    options.onProgress?.(total)
    if (isKept(exchange))
      candidates.push({
        number: line.number,
        bytes: Buffer.byteLength(line.text) + 1,
        bodies: bodiesOf(exchange),
      })
  }
  const { numbers, ...left } = await takeNewest(directory, candidates, options)
  if (numbers.size < total) await copyLines(path, numbers)
  const removedBodies = await removeBodies(
    directory,
    (name) => left.bodies.has(name) || options.isSpared?.(name) === true,
  )
  return { ...left, removed: total - left.exchanges, removedBodies }
}

/** Measures a recording; one that is not there yet holds nothing. */
export async function measure(directory: string, see?: (exchange: Exchange) => void): Promise<Extent> {
  const extent: Extent = { exchanges: 0, bytes: 0, bodies: new Map() }
  for await (const { exchange, line } of readExchangeLines(directory)) {
    see?.(exchange)
    await addTo(extent, directory, bodiesOf(exchange), Buffer.byteLength(line.text) + 1)
  }
  return extent
}

/** Counts one more exchange, its line and the bodies that it is the first to name. */
export async function addTo(
  extent: Extent,
  directory: string,
  bodies: readonly string[],
  lineBytes: number,
): Promise<void> {
  extent.exchanges++
  extent.bytes += lineBytes
  for (const name of bodies) {
    if (extent.bodies.has(name)) continue
    const size = await sizeOf(join(directory, 'bodies', name))
    extent.bodies.set(name, size)
    extent.bytes += size
  }
}

/** The SHA-256 of the bodies that an exchange has in files. */
export function bodiesOf({ request, response }: Exchange): string[] {
  return [request.postData?._sha256, response.content._sha256].filter((name) => name !== undefined)
}

function filterOf({ before, duplicates = false }: KeepOptions): (exchange: Exchange) => boolean {
  const repeats = createRepeats()
  return (exchange) =>
    !(duplicates && repeats.isRepeated(exchange)) &&
    !(before !== undefined && new Date(exchange.startedDateTime) < before)
}

async function takeNewest(
  directory: string,
  candidates: readonly Candidate[],
  { maxExchanges = Infinity, maxBytes = Infinity }: KeepOptions,
): Promise<Extent & { readonly numbers: ReadonlySet<number> }> {
  const numbers = new Set<number>()
  let extent: Extent = { exchanges: 0, bytes: 0, bodies: new Map() }
  for (const { number, bytes, bodies } of candidates.toReversed()) {
    const next: Extent = { ...extent, bodies: extent.bodies }
    const known = bodies.filter((name) => extent.bodies.has(name))
    await addTo(next, directory, bodies, bytes)
    if (next.exchanges > maxExchanges || next.bytes > maxBytes) {
      for (const name of bodies) if (!known.includes(name)) extent.bodies.delete(name)
      break
    }
    extent = next
    numbers.add(number)
  }
  return { ...extent, numbers }
}

async function copyLines(path: string, numbers: ReadonlySet<number>): Promise<void> {
  const temporary = `${path}.pruned`
  const file = await open(temporary, 'w', 0o600)
  try {
    try {
      let block: string[] = []
      for await (const { text, number } of readLines(path)) {
        if (!numbers.has(number)) continue
        block.push(text, '\n')
        if (block.length >= 512) await file.appendFile(block.splice(0).join(''))
      }
      await file.appendFile(block.join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function removeBodies(directory: string, isKept: (name: string) => boolean): Promise<number> {
  const bodies = join(directory, 'bodies')
  const files = await readdir(bodies).catch(() => [])
  const orphans = files.filter((name) => /^[0-9a-f]{64}$/.test(name) && !isKept(name))
  for (const name of orphans) await rm(join(bodies, name))
  return orphans.length
}

/** What of a recording stays. */
export type PruneOptions = KeepOptions

/** What a pruning did. */
export interface Pruned {
  readonly kept: number
  readonly removed: number
  /** Bodies in files that no exchange names any longer. */
  readonly removedBodies: number
}

/**
 * Takes exchanges out of a recording that nobody is writing. Until all is done, the old one stays whole.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function pruneRecording(directory: string, options: PruneOptions): Promise<Pruned> {
  const { exchanges, removed, removedBodies } = await rewrite(directory, options)
  return { kept: exchanges, removed, removedBodies }
}

/** Recognizes exchanges that say nothing new. */
interface Repeats {
  /** Whether an exchange says the same as the one before it of the same request; notes it. */
  isRepeated(exchange: Exchange): boolean
}

/** Most requests whose last answer is known; the least recently requested are forgotten. */
const MAX_REQUESTS = 100_000

/** Knows no exchange yet. */
export function createRepeats(): Repeats {
  // Of a bounded size, each of the same: with `max`, all of it would be allocated ahead.
  const latest = new LRUCache<string, string>({ maxSize: MAX_REQUESTS, sizeCalculation: () => 1 })
  return {
    isRepeated(exchange) {
      const [request, answer] = [digest(requestOf(exchange)), digest(answerOf(exchange))]
      const isRepeated = latest.get(request) === answer
      latest.set(request, answer)
      return isRepeated
    },
  }
}

function requestOf({ request: { method, url, postData } }: Exchange): unknown {
  return [method, url, postData?.text ?? postData?._sha256]
}

function answerOf({ response: { status, content }, _webSocketMessages: messages }: Exchange): unknown {
  const said = messages?.map(({ type, data }) => [type, data])
  return [status, content.mimeType, content.text ?? content._sha256, said]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}
