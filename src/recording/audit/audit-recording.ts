import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { bodiesOf } from '../exchange.ts'
import { withTexts } from '../files/change-exchange.ts'
import { bodyPath } from '../files/har.ts'
import { exchangesPath, parseExchange, readLines } from '../files/lines.ts'
import { partsOf } from '../files/parts.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { auditExchange, type ExchangeFinding } from './audit-exchange.ts'
import { OVERLAP, scan } from './scan.ts'

/** A secret in a file of a recording. */
export interface Finding extends Partial<ExchangeFinding> {
  /** Relative to the recording. */
  readonly file: string
  readonly line?: number
  /** Counted from 1, in its file. */
  readonly exchange?: number
  readonly kind: string
}

/**
 * Finds secrets in everything that is in the directory of a recording, in bounded memory: by the redactor, and by the
 * rules of secretlint.
 * @param onProgress hears how many exchanges were read until now
 */
export async function* auditRecording(
  directory: string,
  redactor: Redactor,
  onProgress: (read: number) => void = () => undefined,
): AsyncGenerator<Finding> {
  const done = new Set<string>()
  let read = 0
  const parts = await partsOf(directory)
  for (const part of parts.length > 0 ? parts : [directory]) {
    const nameOf = (path: string): string => relative(directory, join(part, path)).split(sep).join('/')
    const path = exchangesPath(part)
    const file = nameOf(relative(part, path))
    done.add(file)
    let exchange = 0
    for await (const { text, number: line } of readLines(path)) {
      const parsed = parseExchange(text)
      if (parsed === undefined) {
        // A torn line, or one that something else wrote.
        for (const { kind } of await scan(text)) yield { file, line, kind }
        continue
      }
      exchange++
      const whole = await withTexts(part, parsed)
      const left = new Set(bodiesOf(whole))
      for (const sha256 of bodiesOf(parsed)) if (!left.has(sha256)) done.add(nameOf(bodyPath(sha256)))
      for (const finding of await auditExchange(whole, redactor)) yield { file, line, exchange, ...finding }
      onProgress(++read)
    }
  }
  for (const other of await filesIn(directory)) {
    if (done.has(other)) continue
    for (const kind of await scanFile(join(directory, other))) yield { file: other, kind }
  }
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()
}

const BLOCK_BYTES = 256 * 1024

// Binary bodies, those too long to be checked, and what does not belong to the recording.
async function scanFile(path: string): Promise<ReadonlySet<string>> {
  const kinds = new Set<string>()
  let before = ''
  for await (const block of createReadStream(path, { encoding: 'latin1', highWaterMark: BLOCK_BYTES })) {
    const text = before + String(block)
    for (const { kind } of await scan(text)) kinds.add(kind)
    before = text.slice(-OVERLAP)
  }
  return kinds
}
