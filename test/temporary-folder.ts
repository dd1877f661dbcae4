import { afterAll } from 'vitest'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A directory with the given files, removed when it goes out of scope. */
export interface TemporaryFolder extends Disposable {
  readonly path: string
  /** Writes a file, and its directories where they are missing; returns its path. */
  write(name: string, text: string): string
}

export function temporaryFolder(files: Readonly<Record<string, string>> = {}): TemporaryFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sim-test-')))
  const write = (name: string, text: string): string => {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return file
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A directory that is removed after the tests of the file, or of the group, that it is called in. */
export function temporaryDirectory(): string {
  const folder = temporaryFolder()
  afterAll(() => folder[Symbol.dispose]())
  return folder.path
}
