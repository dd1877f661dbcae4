import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** Writes lines at the end of a file that is open for that. What is returned is to be waited for, if anything is. */
export type AppendLines = (file: FileHandle, lines: readonly string[]) => Promise<void> | undefined

/** What the text of a batch takes at most to be written from memory that is used again. */
const BUFFER_BYTES = 256 * 1024
/** What takes longer shows that the disk is slow, and for how long it is taken to be. */
const SLOW_MS = 20
const SLOW_FOR_MS = 10_000
/** The most bytes that UTF-8 has for a code unit of UTF-16. */
const MAX_BYTES = 3

/**
 * Writes short batches at once: the system takes them into its memory in a few microseconds, while to have another thread
 * do it takes several times as long. Long ones, and all for a while after the system took its time, are left to that
 * thread, so that a slow disk slows nobody else.
 */
export function createAppendLines(): AppendLines {
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  let slowUntil = 0

  return (file, lines) => {
    const text = [...lines, ''].join('\n')
    const start = performance.now()
    if (text.length * MAX_BYTES > BUFFER_BYTES || start < slowUntil) return file.appendFile(text)
    const bytes = buffer.write(text)
    for (let written = 0; written < bytes;) written += writeSync(file.fd, buffer, written, bytes - written)
    const end = performance.now()
    if (end - start > SLOW_MS) slowUntil = end + SLOW_FOR_MS
    return undefined
  }
}
