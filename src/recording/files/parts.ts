import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compareTexts } from '../../grouping.ts'
import type { Exchange, Redacted } from '../exchange.ts'
import { exchangeIn, exchangesPath, type Line, parseExchange, readLines, sizeOf } from './lines.ts'

// Several gateways that record to one folder have a recording each in it. Read as one, it holds the exchanges of all.

/** A line of a recording, and where it is. */
export interface RecordedLine {
  readonly line: Line
  /** The directory and the file that it is in. */
  readonly directory: string
  readonly path: string
  /** Which line of the recording it is, counted from 1: not always the one of its file. */
  readonly number: number
}

/** Whether a directory has exchanges of its own. */
export async function isRecording(directory: string): Promise<boolean> {
  return stat(exchangesPath(directory)).then(
    (file) => file.isFile(),
    () => false,
  )
}

/** The directories that a recording lies in: its own, or by name those of the gateways that have one each in there. */
export async function partsOf(directory: string): Promise<readonly string[]> {
  if (await isRecording(directory)) return [directory]
  const names = await readdir(directory).catch(() => [])
  const parts: string[] = []
  for (const name of names.toSorted(compareTexts)) {
    const part = join(directory, name)
    if (await isRecording(part)) parts.push(part)
  }
  return parts
}

/** Where a body is in the recordings of several gateways: named by its content, it is the same in all of them. */
export async function findInParts(directory: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  for (const part of await partsOf(directory)) {
    const path = join(part, file)
    if (part !== directory && (await sizeOf(path)) > 0) return path
  }
  return undefined
}

/**
 * Reads the lines of a recording in the order they were written. Those of several gateways are in order of when their exchange
 * began, then by gateway, then by line; each file is read twice, and never held.
 * @throws RecordingUnusable when there is no recording
 */
export async function* readRecordedLines(directory: string): AsyncGenerator<RecordedLine> {
  const parts = await partsOf(directory)
  const [part = directory] = parts
  if (part === directory) {
    const path = exchangesPath(directory)
    for await (const line of readLines(path)) yield { line, directory, path, number: line.number }
    return
  }
  const begun = createOrder()
  const paths = parts.map(exchangesPath)
  for (const [index, path] of paths.entries())
    for await (const line of readLines(path))
      if (isWhole(line)) begun.add(beginOf(line.text), { ...line, part: index })
  yield* linesIn(begun, parts, paths)
}

/**
 * Reads a recording in the order of `readRecordedLines`, with the line of each exchange. A torn last line is passed over.
 * @throws RecordingUnusable when there is no recording, or another line is not an exchange
 */
export async function* readExchangeLines(
  directory: string,
): AsyncGenerator<RecordedLine & { readonly exchange: Redacted<Exchange> }> {
  for await (const each of readRecordedLines(directory)) {
    const exchange = exchangeIn(each.line, each.path)
    if (exchange !== undefined) yield { ...each, exchange }
  }
}

async function* linesIn(
  begun: Order,
  parts: readonly string[],
  paths: readonly string[],
): AsyncGenerator<RecordedLine> {
  const files: FileHandle[] = []
  try {
    for (const path of paths) files.push(await open(path))
    let number = 0
    for (const { part, ...place } of begun.sorted()) {
      const [file, path = '', directory = ''] = [files[part], paths[part], parts[part]]
      const { buffer } = await (file as FileHandle).read(
        Buffer.allocUnsafe(place.bytes),
        ...[0, place.bytes, place.start],
      )
      const line = { ...place, text: buffer.toString(), isTorn: false }
      yield { line, directory, path, number: ++number }
    }
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

/** A line that is to be read again, and which of several files it is in. */
export interface OrderedLine extends Pick<Line, 'number' | 'start' | 'bytes'> {
  readonly part: number
}

/** Lines by when their exchange began, in milliseconds, then by part, then by line. */
export interface Order {
  add(moment: number, line: OrderedLine): void
  sorted(): Iterable<OrderedLine>
}

/** Sorts lines by five numbers of each, since recordings may be larger than memory. */
export function createOrder(): Order {
  const values: number[] = []
  const at = (index: number, which: number): number => values[index * 5 + which] ?? 0
  return {
    add(moment, { part, start, bytes, number }) {
      values.push(moment, part, start, bytes, number)
    },
    *sorted() {
      const indexes = Uint32Array.from({ length: values.length / 5 }, (_, index) => index).toSorted(
        (a, b) => at(a, 0) - at(b, 0) || at(a, 1) - at(b, 1) || at(a, 2) - at(b, 2),
      )
      for (const index of indexes)
        yield { part: at(index, 1), start: at(index, 2), bytes: at(index, 3), number: at(index, 4) }
    },
  }
}

/** When an exchange began, in milliseconds; 0 where that cannot be read. */
export function momentOf(startedDateTime: string): number {
  const moment = Date.parse(startedDateTime)
  return Number.isNaN(moment) ? 0 : moment
}

const BEGINNING = '{"startedDateTime":"'

// The lines that are written here begin so; others may have been made elsewhere.
function beginOf(text: string): number {
  const written = text.startsWith(BEGINNING)
    ? text.slice(BEGINNING.length, text.indexOf('"', BEGINNING.length))
    : (parseExchange(text)?.startedDateTime ?? '')
  return momentOf(written)
}

function isWhole({ text, isTorn }: Line): boolean {
  return !isTorn || parseExchange(text) !== undefined
}
