import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareTexts } from '../../grouping.ts'
import { exchangesPath, sizeOf } from './lines.ts'
import { readExchanges } from './recording-files.ts'

/** What a recording holds, at a glance. */
export interface RecordingSummary {
  readonly directory: string
  readonly exchanges: number
  /** Of exchanges and of bodies in files. */
  readonly bytes: number
  /** ISO 8601; absent where there is no exchange. */
  readonly first?: string
  readonly last?: string
  readonly hosts: readonly string[]
}

/** Whether a directory is a recording. */
export async function isRecording(directory: string): Promise<boolean> {
  return stat(exchangesPath(directory)).then(
    (file) => file.isFile(),
    () => false,
  )
}

/** The recordings in a directory, or itself where it is one, by name. */
export async function findRecordings(directory: string): Promise<readonly string[]> {
  if (await isRecording(directory)) return [directory]
  const names = await readdir(directory).catch(() => [])
  const found: string[] = []
  for (const name of names.toSorted(compareTexts))
    if (await isRecording(join(directory, name))) found.push(join(directory, name))
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
    bytes: await recordedBytes(directory),
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
