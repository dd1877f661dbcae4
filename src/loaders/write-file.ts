import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { FileNotWritten } from '../errors.ts'

/**
 * Writes a file whole, and the directories above it: a reader sees the old content or the new, never a part.
 * @throws FileNotWritten naming the file
 */
export function writeFileWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(temporary, text)
    renameSync(temporary, file)
  } catch (error) {
    if (existsSync(temporary)) rmSync(temporary)
    throw new FileNotWritten(`${file} could not be written: ${(error as Error).message}`, { cause: error })
  }
}

/** A value as a JSON file's text. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
