import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Exchange } from './exchange.ts'
import { readExchanges } from './files.ts'

/** What of a recording stays. */
export interface PruneOptions {
  /** The most exchanges; the oldest go first. */
  readonly maxExchanges?: number | undefined
  /** The most bytes of exchanges, their bodies in files aside; the oldest go first. */
  readonly maxBytes?: number | undefined
  /** Exchanges that began before this moment go. */
  readonly before?: Date | undefined
  /** Whether an exchange goes that says the same as the one before it of the same request. */
  readonly duplicates?: boolean | undefined
}

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
  const kept = await select(directory, options)
  const path = join(directory, 'exchanges.ndjson')
  const temporary = `${path}.pruned`
  const file = await open(temporary, 'w', 0o600)
  const named = new Set<string>()
  let total = 0
  try {
    for await (const exchange of readExchanges(directory)) {
      if (!kept.has(total++)) continue
      for (const body of bodiesOf(exchange)) named.add(body)
      await file.write(`${JSON.stringify(exchange)}\n`)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  return { kept: kept.size, removed: total - kept.size, removedBodies: await removeBodies(directory, named) }
}

async function select(directory: string, options: PruneOptions): Promise<ReadonlySet<number>> {
  const { maxExchanges = Infinity, maxBytes = Infinity, before, duplicates = false } = options
  const candidates: { readonly index: number; readonly bytes: number }[] = []
  const latest = new Map<string, string>()
  let index = 0
  for await (const exchange of readExchanges(directory)) {
    const at = index++
    const [request, answer] = [requestOf(exchange), answerOf(exchange)]
    const isRepeated = duplicates && latest.get(request) === answer
    latest.set(request, answer)
    const isOld = before !== undefined && new Date(exchange.startedDateTime) < before
    if (!isRepeated && !isOld)
      candidates.push({ index: at, bytes: Buffer.byteLength(JSON.stringify(exchange)) + 1 })
  }
  const kept = new Set<number>()
  let bytes = 0
  for (const each of candidates.toReversed()) {
    bytes += each.bytes
    if (kept.size >= maxExchanges || bytes > maxBytes) break
    kept.add(each.index)
  }
  return kept
}

function requestOf({ request: { method, url, postData } }: Exchange): string {
  return JSON.stringify([method, url, postData?.text ?? postData?._sha256])
}

function answerOf({ response: { status, content } }: Exchange): string {
  return JSON.stringify([status, content.mimeType, content.text ?? content._sha256])
}

function bodiesOf({ request, response }: Exchange): string[] {
  return [request.postData?._sha256, response.content._sha256].filter((name) => name !== undefined)
}

async function removeBodies(directory: string, named: ReadonlySet<string>): Promise<number> {
  const bodies = join(directory, 'bodies')
  const files = await readdir(bodies).catch(() => [])
  const orphans = files.filter((name) => /^[0-9a-f]{64}$/.test(name) && !named.has(name))
  for (const name of orphans) await rm(join(bodies, name))
  return orphans.length
}
