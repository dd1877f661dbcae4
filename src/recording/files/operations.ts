import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { hash } from 'node:crypto'
import { RecordingUnusable } from '../../errors.ts'
import { bodiesOf, type Exchange, type Redacted } from '../exchange.ts'
import { addTo } from '../../grouping.ts'
import { exchangesPath } from './lines.ts'
import { readExchangeLines } from './parts.ts'
import { failed } from './read-body.ts'
import { moveLongBodies } from './recording-files.ts'
import { removeBodies, replaceLines, unwritten } from './rewrite.ts'
import type { Select } from './select.ts'
import { alone, isRunning } from './writers.ts'

/** How an operation on whole recordings is done. */
export interface OperationOptions {
  /** Only counts what would be done. */
  readonly isDryRun?: boolean | undefined
  /** Hears how many exchanges were read until now. */
  readonly onProgress?: ((read: number) => void) | undefined
}

/** What became of the exchanges of a recording. */
interface Changes {
  readonly kept: number
  readonly changed: number
  readonly removed: number
  /** Bodies in files that no exchange names any longer; 0 in a dry run. */
  readonly removedBodies: number
}

/** What an exchange becomes: itself, another one, or nothing. Its bodies may be inline, whatever their length. */
export type ChangeExchange = (
  exchange: Redacted<Exchange>,
) => Redacted<Exchange> | undefined | Promise<Redacted<Exchange> | undefined>

/**
 * Changes the exchanges of a recording one by one, in bounded memory. The old recording stays whole until the new one
 * is complete: a crash leaves the one or the other, and at most bodies that no exchange names.
 * @throws RecordingUnusable when it is not a recording, or is being written
 */
export async function changeRecording(
  directory: string,
  change: ChangeExchange,
  { isDryRun = false, onProgress }: OperationOptions = {},
): Promise<Changes> {
  const bodies = join(directory, 'bodies')
  const counts = { kept: 0, changed: 0, removed: 0 }
  const named = new Set<string>()
  const lines = async function* (): AsyncGenerator<string> {
    for await (const { exchange, line } of readExchangeLines(directory)) {
      const changed = await change(exchange)
      onProgress?.(counts.kept + counts.removed + 1)
      if (changed === undefined) {
        counts.removed++
        continue
      }
      counts.kept++
      if (changed === exchange) {
        for (const name of bodiesOf(exchange)) named.add(name)
        yield line.text
        continue
      }
      counts.changed++
      const stored = isDryRun ? changed : await moveLongBodies(changed, bodies)
      for (const name of bodiesOf(stored)) named.add(name)
      yield JSON.stringify(stored)
    }
  }
  if (isDryRun) {
    for await (const _line of lines());
    return { ...counts, removedBodies: 0 }
  }
  return alone(directory, async () => {
    await mkdir(bodies, { recursive: true, mode: 0o700 }).catch(failed('Cannot write to the recording'))
    await replaceLines(exchangesPath(directory), lines())
    return { ...counts, removedBodies: await removeBodies(bodies, (name) => named.has(name)) }
  })
}

/** A line of one of several recordings. */
export interface SourceLine {
  readonly exchange: Redacted<Exchange>
  readonly text: string
  /** Where its line is, and the bodies that it names. */
  readonly directory: string
}

/**
 * The exchanges of several recordings in the order in which they ended, so that what an exchange follows from comes
 * before it; those of one recording stay in its order.
 * @throws RecordingUnusable as `readExchanges` does
 */
export async function* mergedLines(
  directories: readonly string[],
  select: Select,
): AsyncGenerator<SourceLine> {
  const sources = await Promise.all(
    directories.map(async (directory) => {
      const lines = readExchangeLines(directory)
      return { lines, endedAt: -Infinity, next: await lines.next() }
    }),
  )
  const moment = (source: (typeof sources)[number]): number =>
    source.next.done === true ? Infinity : Math.max(source.endedAt, endOf(source.next.value.exchange))
  for (;;) {
    let first: (typeof sources)[number] | undefined
    for (const source of sources)
      if (source.next.done !== true && (first === undefined || moment(source) < moment(first))) first = source
    if (first === undefined || first.next.done === true) return
    const { exchange, line, directory } = first.next.value
    first.endedAt = moment(first)
    if (select(exchange)) yield { exchange, text: line.text, directory }
    first.next = await first.lines.next()
  }
}

function endOf({ startedDateTime, time }: Exchange): number {
  return new Date(startedDateTime).getTime() + time
}

/** Exchanges that are remembered to recognize the same one again; in the merged order they are near each other. */
const MAX_SAME = 200_000

/** Recognizes an exchange that is the same as an earlier one in every respect, its times included. */
export function createSame(): (line: SourceLine) => boolean {
  const seen = new LRUCache<string, true>({ maxSize: MAX_SAME, sizeCalculation: () => 1 })
  return ({ text }) => {
    const digest = hash('sha256', text, 'base64')
    if (seen.has(digest)) return true
    seen.set(digest, true)
    return false
  }
}

/** Letters that wait to be written to the parts, together. */
const MAX_WAITING = 1024 * 1024

/**
 * Writes exchanges to new recordings, whose names `partOf` says, in bounded memory however many they are. Nothing is to
 * be seen of them before all are complete. Bodies in files are linked, or copied where that is not possible.
 * @param output the directory of the new recordings, or of the only one, whose name is the empty text
 * @returns how many exchanges each part has
 * @throws RecordingUnusable when `output` is there already
 */
export async function writeParts(
  output: string,
  lines: AsyncIterable<SourceLine>,
  partOf: (line: SourceLine) => string,
  { isDryRun = false, onProgress }: OperationOptions = {},
): Promise<ReadonlyMap<string, number>> {
  if (await isThere(output))
    throw new RecordingUnusable(
      `${output} is there already: name a directory that is not, or remove it first`,
    )
  const counts = new Map<string, number>()
  const partial = join(dirname(output), `.${basename(output)}.partial-${process.pid}`)
  await removePartial(output)
  const waiting = new Map<string, string[]>()
  let letters = 0
  let read = 0
  const flush = async (): Promise<void> => {
    for (const [part, texts] of waiting) await append(exchangesPath(join(partial, part)), texts)
    waiting.clear()
    letters = 0
  }
  try {
    for await (const line of lines) {
      onProgress?.(++read)
      const part = partOf(line)
      const isNew = !counts.has(part)
      addTo(counts, part)
      if (isDryRun) continue
      const bodies = join(partial, part, 'bodies')
      if (isNew) await mkdir(bodies, { recursive: true, mode: 0o700 })
      for (const name of bodiesOf(line.exchange))
        await linkFile(join(line.directory, 'bodies', name), join(bodies, name))
      const texts = waiting.get(part) ?? []
      texts.push(line.text, '\n')
      waiting.set(part, texts)
      letters += line.text.length
      if (letters > MAX_WAITING) await flush()
    }
    if (isDryRun) return counts
    await flush()
    if (counts.size > 0) await rename(partial, output)
    return counts
  } catch (error) {
    throw unwritten(output, error)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

// What a crash left behind.
async function removePartial(output: string): Promise<void> {
  const start = `.${basename(output)}.partial-`
  for (const name of await readdir(dirname(output)).catch(() => []))
    if (name.startsWith(start) && !isRunning(Number(name.slice(start.length))))
      await rm(join(dirname(output), name), { recursive: true, force: true })
}

async function append(path: string, texts: readonly string[]): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(texts.join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    await copyFile(from, to, constants.COPYFILE_FICLONE).catch((cause: Error) => {
      throw new RecordingUnusable(`Cannot copy the body ${from}: ${cause.message}`, { cause })
    })
  })
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** What a recording is split by. */
export type SplitBy = 'host' | 'session' | 'gap'

/** Names the part of each exchange: by its host, its session, or anew after so many milliseconds without a request. */
export function createPartOf(
  by: SplitBy,
  gapMs: number,
  sessionOf: (exchange: Exchange) => string | undefined,
): (line: SourceLine) => string {
  const numbers = new Map<string, number>()
  let [count, last] = [1, -Infinity]
  const numberOf = (session: string): number => {
    const known = numbers.get(session) ?? numbers.size + 1
    numbers.set(session, known)
    return known
  }
  return ({ exchange }) => {
    if (by === 'host') return new URL(exchange.request.url).host.replaceAll(/[^\w.-]/g, '_')
    if (by === 'session') {
      const session = sessionOf(exchange)
      return session === undefined ? 'no-session' : `session-${numberOf(session)}`
    }
    const started = new Date(exchange.startedDateTime).getTime()
    if (last !== -Infinity && started - last > gapMs) count++
    last = Math.max(last, endOf(exchange))
    return `part-${String(count).padStart(3, '0')}`
  }
}
