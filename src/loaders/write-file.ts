import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { FileNotWritten } from '../errors.ts'

/** A text, or its pieces one after the other, which are not in memory at the same time. */
export type Text = string | Iterable<string>

/**
 * Writes a file whole, and the directories above it: a reader sees the old content or the new, never a part.
 * @throws FileNotWritten naming the file
 */
export function writeFileWhole(file: string, text: Text): void {
  putWhole(file, (temporary) =>
    typeof text === 'string' ? writeFileSync(temporary, text) : writePieces(temporary, text),
  )
}

/**
 * Copies a file, likewise.
 * @throws FileNotWritten naming the copy
 */
export function copyFileWhole(from: string, file: string): void {
  putWhole(file, (temporary) => copyFileSync(from, temporary))
}

function putWhole(file: string, put: (temporary: string) => void): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true })
    put(temporary)
    renameSync(temporary, file)
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary)
    throw new FileNotWritten(`${file} could not be written: ${(error as Error).message}`, { cause: error })
  }
}

const BATCH_LENGTH = 64 * 1024

function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'w')
  try {
    let batch = ''
    for (const piece of pieces) {
      batch += piece
      if (batch.length < BATCH_LENGTH) continue
      writeSync(descriptor, batch)
      batch = ''
    }
    writeSync(descriptor, batch)
  } finally {
    closeSync(descriptor)
  }
}

/** The same text as `jsonText`, that of a list item by item. */
export function* jsonPieces(value: unknown): Iterable<string> {
  if (!Array.isArray(value) || value.length === 0) {
    yield jsonText(value)
    return
  }
  let start = '[\n  '
  for (const item of value as readonly unknown[]) {
    yield start + JSON.stringify(item, undefined, 2).replaceAll('\n', '\n  ')
    start = ',\n  '
  }
  yield '\n]\n'
}

/** A value as a JSON file's text. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
