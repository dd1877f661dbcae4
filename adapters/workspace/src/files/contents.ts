import { objectOf } from 'sim-gateway/adapter'
import { createHash } from 'node:crypto'
import { appendFileSync, closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaceError } from '../errors.ts'
import type { WorkspaceFixture } from '../part.ts'

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

/** What a file holds, without the bytes. */
export interface Content {
  readonly name: string
  size: number
}

/** The fixture's `fileStorage`. */
interface StorageOptions {
  readonly capBytes?: number
  readonly temporaryDirectory?: boolean
}

const DEFAULT_CAP = 64 * 1024 * 1024

export const fileStorageSchema = objectOf(
  [],
  {
    capBytes: { type: 'integer', minimum: 0, description: 'Default: 64 MiB.' },
    temporaryDirectory: {
      type: 'boolean',
      description: 'Keeps the bytes in a temporary directory instead of in memory. Default: false.',
    },
  },
  {
    description:
      'Where the bytes of files are kept, and how many at most: for DBFS and for workspace files each.',
  },
)

/** The bytes of files, up to a cap. */
export class Contents {
  readonly #storage: Storage
  readonly #capBytes: number
  #usedBytes = 0
  #count = 0

  constructor(storage: Storage, capBytes: number = DEFAULT_CAP) {
    this.#storage = storage
    this.#capBytes = capBytes
  }

  /** Contents as a fixture's `fileStorage` wants them. */
  static fromFixture(fixture: WorkspaceFixture): Contents {
    const { capBytes, temporaryDirectory = false } = (fixture['fileStorage'] ?? {}) as StorageOptions
    return new Contents(temporaryDirectory ? createTemporaryStorage() : createMemoryStorage(), capBytes)
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** New content, in place of another where one is given. Changes nothing when the cap forbids it. */
  write(bytes: Buffer, replaced?: Content): Content {
    this.#reserve(bytes.length - (replaced?.size ?? 0))
    if (replaced !== undefined) this.#storage.remove(replaced.name)
    this.#count += 1
    const content = { name: String(this.#count), size: bytes.length }
    this.#storage.append(content.name, bytes)
    return content
  }

  append(content: Content, bytes: Buffer): void {
    this.#reserve(bytes.length)
    this.#storage.append(content.name, bytes)
    content.size += bytes.length
  }

  /** At most `length` bytes from `offset` on; all by default. */
  read(content: Content, offset = 0, length = content.size): Buffer {
    const rest = Math.min(length, content.size - offset)
    return rest <= 0 ? Buffer.alloc(0) : this.#storage.read(content.name, offset, rest)
  }

  /** Gives back where the bytes are. */
  dispose(): void {
    this.#storage.clear()
  }

  remove(content: Content): void {
    this.#usedBytes -= content.size
    this.#storage.remove(content.name)
  }

  #reserve(bytes: number): void {
    const wanted = this.#usedBytes + bytes
    if (wanted > this.#capBytes && bytes > 0)
      throw workspaceError(
        'QUOTA_EXCEEDED',
        `The simulator keeps at most ${this.#capBytes} bytes of file contents, and this would make them ${wanted}. ` +
          `Delete files, or raise fileStorage.capBytes in the fixture.`,
      )
    this.#usedBytes = wanted
  }
}
