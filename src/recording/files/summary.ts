import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { compareTexts } from '../../grouping.ts'
import { sizeOf } from './lines.ts'
import { isRecording, partsOf } from './parts.ts'
import { readExchanges } from './recording-files.ts'

/** What a recording holds, at a glance. */
export interface RecordingSummary {
  readonly directory: string
  readonly exchanges: number
  /** Of exchanges and of bodies in files. */
  readonly bytes: number
  /** Those that recorded it, where they are several. */
  readonly gateways?: readonly string[]
  /** ISO 8601; absent where there is no exchange. */
  readonly first?: string
  readonly last?: string
  readonly hosts: readonly string[]
}

/** The recordings in a directory, or itself where it is one, by name. One of several gateways is one of them. */
export async function findRecordings(directory: string): Promise<readonly string[]> {
  if (await isRecording(directory)) return [directory]
  const names = await readdir(directory).catch(() => [])
  const found: string[] = []
  for (const name of names.toSorted(compareTexts))
    if ((await partsOf(join(directory, name))).length > 0) found.push(join(directory, name))
  return found
}

/**
 * @param onProgress hears how many exchanges were read until now
 * @throws RecordingUnusable when it is not a recording, or a line of it is not an exchange
 */
export async function summarize(
  directory: string,
  onProgress?: (exchanges: number) => void,
): Promise<RecordingSummary> {
  const parts = await partsOf(directory)
  const hosts = new Set<string>()
  const moments: { first?: string; last?: string } = {}
  let exchanges = 0
  for await (const { request, startedDateTime } of readExchanges(directory)) {
    exchanges++
    onProgress?.(exchanges)
    hosts.add(new URL(request.url).host)
    moments.first ??= startedDateTime
    moments.last = startedDateTime
  }
  return {
    directory,
    exchanges,
    bytes: (await Promise.all(parts.map(recordedBytes))).reduce((sum, bytes) => sum + bytes, 0),
    ...(parts.length > 1 && { gateways: parts.map((part) => basename(part)) }),
    ...moments,
    hosts: [...hosts],
  }
}

async function recordedBytes(directory: string): Promise<number> {
  const bodies = await readdir(join(directory, 'bodies')).catch(() => [])
  const files = ['exchanges.ndjson', ...bodies.map((name) => join('bodies', name))]
  const sizes = await Promise.all(files.map((name) => sizeOf(join(directory, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}
