import { hash } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { RecordingUnusable } from '../../errors.ts'
import { bodiesOf, type Exchange } from '../exchange.ts'
import { exchangesPath, readLines, sizeOf } from './lines.ts'
import { readExchangeLines } from './parts.ts'

/** What a recording holds. */
export interface Extent {
  exchanges: number
  /** Of lines and of the bodies that they name. */
  bytes: number
  /** The bodies in files, by SHA-256. */
  readonly bodies: Set<string>
}

/** Measures a recording; one that is not there yet holds nothing. */
export async function measure(directory: string, note: (exchange: Exchange) => void): Promise<Extent> {
  const extent: Extent = { exchanges: 0, bytes: 0, bodies: new Set() }
  for await (const { exchange, line } of readExchangeLines(directory)) {
    note(exchange)
    await addTo(extent, directory, bodiesOf(exchange), Buffer.byteLength(line.text) + 1)
  }
  return extent
}

/**
 * Counts one more exchange, its line and the bodies that it is the first to name.
 * @returns whether it is within the limits; otherwise nothing is counted
 */
export async function addTo(
  extent: Extent,
  directory: string,
  bodies: readonly string[],
  lineBytes: number,
  { maxExchanges = Infinity, maxBytes = Infinity }: Pick<PruneOptions, 'maxExchanges' | 'maxBytes'> = {},
): Promise<boolean> {
  const added = new Set(bodies.filter((name) => !extent.bodies.has(name)))
  let bytes = extent.bytes + lineBytes
  for (const name of added) bytes += await sizeOf(join(directory, 'bodies', name))
  if (extent.exchanges + 1 > maxExchanges || bytes > maxBytes) return false
  extent.exchanges++
  extent.bytes = bytes
  for (const name of added) extent.bodies.add(name)
  return true
}

/** What of a recording stays. */
export interface PruneOptions {
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
  /** Called right before the old one is replaced; where it throws, that stays. */
  readonly confirm?: (() => Promise<void>) | undefined
  /** Hears how many lines were read until now. */
  readonly onProgress?: ((lines: number) => void) | undefined
}

/** What a pruning did. */
interface Pruned {
  /** What is left. */
  readonly extent: Extent
  readonly kept: number
  readonly removed: number
  /** Bodies in files that no exchange names any longer. */
  readonly removedBodies: number
}

/**
 * Takes exchanges out of a recording that nobody is writing meanwhile, and then the bodies that none names any longer.
 * Until all is done, the old one stays whole.
 * @throws RecordingUnusable when there is no recording, or a line of it is not an exchange
 */
export async function pruneRecording(directory: string, options: PruneOptions): Promise<Pruned> {
  const { before, duplicates = false, isSpared, onProgress, confirm } = options
  const path = exchangesPath(directory)
  const isRepeated = createRepeats()
  const candidates: { readonly number: number; readonly bytes: number; readonly bodies: string[] }[] = []
  let total = 0
  for await (const { exchange, line } of readExchangeLines(directory)) {
    total++
    onProgress?.(total)
    if (duplicates && isRepeated(exchange)) continue
    if (before !== undefined && new Date(exchange.startedDateTime) < before) continue
    const bytes = Buffer.byteLength(line.text) + 1
    candidates.push({ number: line.number, bytes, bodies: bodiesOf(exchange) })
  }
  const extent: Extent = { exchanges: 0, bytes: 0, bodies: new Set() }
  const numbers = new Set<number>()
  for (const { number, bytes, bodies } of candidates.toReversed()) {
    if (!(await addTo(extent, directory, bodies, bytes, options))) break
    numbers.add(number)
  }
  if (numbers.size < total) await replaceLines(path, linesWith(path, numbers), confirm)
  const removedBodies = await removeBodies(
    join(directory, 'bodies'),
    (name) => extent.bodies.has(name) || isSpared?.(name) === true,
  )
  return { extent, kept: numbers.size, removed: total - numbers.size, removedBodies }
}

async function* linesWith(path: string, numbers: ReadonlySet<number>): AsyncGenerator<string> {
  for await (const { text, number } of readLines(path)) if (numbers.has(number)) yield text
}

/**
 * Puts a file of other lines in the place of one, whole: a reader sees the old lines or the new ones.
 * @throws RecordingUnusable when somebody wrote to it meanwhile, which then stays
 */
export async function replaceLines(
  path: string,
  lines: AsyncIterable<string>,
  confirm?: () => Promise<void>,
): Promise<void> {
  const temporary = `${path}.pruned`
  const before = await sizeOf(path)
  const file = await open(temporary, 'w', 0o600)
  try {
    try {
      let block: string[] = []
      for await (const line of lines) {
        block.push(line, '\n')
        if (block.length >= 512) await file.appendFile(block.splice(0).join(''))
      }
      await file.appendFile(block.join(''))
      await file.sync()
    } finally {
      await file.close()
    }
    if ((await sizeOf(path)) !== before)
      throw new RecordingUnusable(`${path} was written to meanwhile, and stays as it is: stop what writes it`)
    await confirm?.()
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw unwritten(path, error)
  }
}

/** What the system refuses, such as for want of space, named for a user; other errors are as they were. */
export function unwritten(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new RecordingUnusable(`Cannot write ${path}, so all stays as it was: ${error.message}`, {
    cause: error,
  })
}

/** Removes the bodies that are not kept. Returns how many they were. */
export async function removeBodies(bodies: string, isKept: (name: string) => boolean): Promise<number> {
  const files = await readdir(bodies).catch(() => [])
  const orphans = files.filter((name) => /^[0-9a-f]{64}$/.test(name) && !isKept(name))
  for (const name of orphans) await rm(join(bodies, name))
  return orphans.length
}

/** Most requests whose last answer is known; the least recently requested are forgotten. */
const MAX_REQUESTS = 100_000

/** Recognizes exchanges that say the same as the one before of the same request; each that it is given counts as one. */
export function createRepeats(): (exchange: Exchange) => boolean {
  // Of a bounded size, each of the same: with `max`, all of it would be allocated ahead.
  const latest = new LRUCache<string, string>({ maxSize: MAX_REQUESTS, sizeCalculation: () => 1 })
  return ({ request: { method, url, postData }, response, _webSocketMessages: messages }) => {
    const { status, content } = response
    const said = messages?.map(({ type, data }) => [type, data])
    const request = digest([method, url, postData?.text ?? postData?._sha256])
    const answer = digest([status, content.mimeType, content.text ?? content._sha256, said])
    const isRepeated = latest.get(request) === answer
    latest.set(request, answer)
    return isRepeated
  }
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64')
}
