import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where bytes are kept; a name has nothing to do with the path that a client gave. */
export interface Storage {
  append(name: string, bytes: Buffer): void
  /** At most `length` bytes from `offset` on. */
  read(name: string, offset: number, length: number): Buffer
  remove(name: string): void
  /** Forgets everything. */
  clear(): void
}

/** Keeps bytes in memory. */
export function createMemoryStorage(): Storage {
  const blocks = new Map<string, Buffer[]>()
  return {
    append(name, bytes) {
      const known = blocks.get(name)
      if (known === undefined) blocks.set(name, [bytes])
      else known.push(bytes)
    },
    read: (name, offset, length) => cut(blocks.get(name) ?? [], offset, length),
    remove: (name) => void blocks.delete(name),
    clear: () => blocks.clear(),
  }
}

function cut(blocks: readonly Buffer[], offset: number, length: number): Buffer {
  const parts: Buffer[] = []
  let start = 0
  for (const block of blocks) {
    const [from, to] = [Math.max(0, offset - start), Math.min(block.length, offset + length - start)]
    if (to > from) parts.push(block.subarray(from, to))
    start += block.length
    if (start >= offset + length) break
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

const PREFIX = 'sim-workspace-'
const LEFT = /^sim-workspace-(\d+)-\w{6}$/
const directories = new Set<string>()
let isWatching = false
// State that nobody has disposed of takes its files along all the same.
const dropped = new FinalizationRegistry<string>(removeDirectory)

/** Bytes in a directory of their own under the system's temporary one. */
export interface TemporaryStorage extends Storage {
  /** Absent until something is kept. */
  readonly directory: string | undefined
}

/** Keeps bytes in a temporary directory, until the storage or the process ends. */
export function createTemporaryStorage(): TemporaryStorage {
  let directory: string | undefined
  const fileOf = (name: string): string => {
    directory ??= createDirectory(storage)
    return join(directory, createHash('sha256').update(name).digest('hex'))
  }
  const storage: TemporaryStorage = {
    get directory() {
      return directory
    },
    append: (name, bytes) => appendFileSync(fileOf(name), bytes, { mode: 0o600 }),
    read: (name, offset, length) => readPart(fileOf(name), offset, length),
    remove: (name) => rmSync(fileOf(name), { force: true }),
    clear() {
      if (directory !== undefined) removeDirectory(directory)
      directory = undefined
    },
  }
  return storage
}

function createDirectory(owner: object): string {
  if (!isWatching) {
    isWatching = true
    process.once('exit', () => directories.forEach(removeDirectory))
    removeLeftDirectories()
  }
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  directories.add(directory)
  dropped.register(owner, directory)
  return directory
}

// A process that is killed, as those of test runners are, cannot remove its directories itself.
function removeLeftDirectories(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = LEFT.exec(name) ?? []
    if (pid !== undefined && !isAlive(Number(pid))) removeDirectory(join(tmpdir(), name))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It may belong to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function readPart(file: string, offset: number, length: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset))
  } finally {
    closeSync(descriptor)
  }
}

function removeDirectory(directory: string): void {
  directories.delete(directory)
  rmSync(directory, { recursive: true, force: true })
}
