import { SnapshotInvalid } from '../errors.ts'
import { findProblem } from './snapshot-file.ts'
import type { StoreSnapshot } from './store.ts'

/** An item of a snapshot, as the text that is stored. */
export interface SnapshotEntry {
  /** Its collection. */
  readonly path: string
  readonly id: string
  readonly text: string
}

/** What a snapshot says besides its items. */
export interface SnapshotHead extends StoreSnapshot {
  readonly seed?: number | string
  /** The collections that hold nothing of what an app begins with; `*`, or its absence, says all of them. */
  readonly cleared?: readonly string[]
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Reads a snapshot of any size, and holds one item at a time.
 * @param take gets each item, and is waited for
 * @throws SnapshotInvalid naming the file
 */
export async function readSnapshotStream(
  file: string,
  chunks: AsyncIterable<Buffer>,
  take: (entry: SnapshotEntry) => Promise<void> | undefined,
): Promise<SnapshotHead> {
  const invalid = (problem: string): SnapshotInvalid =>
    new SnapshotInvalid(`${file} is not a snapshot of a store: ${problem}`)
  const counts = new Map<string, number>()
  const entryOf = (path: string, pieces: readonly Buffer[]): SnapshotEntry | undefined => {
    const text = Buffer.concat(pieces).toString().trim()
    if (text === '') return undefined
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const value = parse(text)
    const [id, item] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : []
    if (typeof id !== 'string' || item === null || typeof item !== 'object')
      throw invalid(`what is item ${count} of ${path} is not a pair of id and item`)
    return { path, id, text: JSON.stringify(item) }
  }

  // All but the items, which are read as they pass: the names that lead to where it is, and what is there.
  const rest: number[] = []
  const names: string[] = []
  let [name, stringStart] = ['', 0]
  let [isInString, isEscaped] = [false, false]
  // Of the list of items that it is in: how deep within, and what has passed of the item.
  let depth = 0
  let pieces: Buffer[] = []

  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      const isItem = depth > 0
      if (!isItem) rest.push(byte)
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isInString = false
      } else if (byte === QUOTE) {
        isInString = true
        if (!isItem) stringStart = rest.length - 1
      } else if (isItem) {
        if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
        else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--
        if (depth === 0 || (depth === 1 && byte === COMMA)) {
          const entry = entryOf(names[2] ?? '', [...pieces, chunk.subarray(from, at)])
          if (entry !== undefined) await take(entry)
          pieces = []
          from = at + 1
        }
        if (depth === 0) {
          rest.push(byte)
          names.pop()
        }
      } else if (byte === COLON)
        name = String(parse(Buffer.from(rest.slice(stringStart, -1)).toString().trim()))
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        names.push(name)
        name = ''
        if (byte === OPEN_LIST && names.length === 4 && names[1] === 'collections' && names[3] === 'items') {
          depth = 1
          from = at + 1
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) names.pop()
    }
    // The next chunk may be read into the same memory.
    if (depth > 0) pieces.push(Buffer.from(chunk.subarray(from)))
  }
  const head = parse(Buffer.from(rest).toString())
  const problem = head === undefined ? 'it is not JSON, or it ends too early' : findProblem(head)
  if (problem !== undefined) throw invalid(problem)
  return head as SnapshotHead
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
