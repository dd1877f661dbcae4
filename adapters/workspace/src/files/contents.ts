import { workspaceError } from '../errors.ts'
import type { WorkspaceFixture } from '../part.ts'
import { createMemoryStorage, createTemporaryStorage, type Storage } from './storage.ts'

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

const USUAL_CAP = 64 * 1024 * 1024

/** JSON Schema of the fixture's `fileStorage`. */
export const fileStorageSchema = {
  type: 'object',
  description:
    'Where the bytes of files are kept, and how many at most: for DBFS and for workspace files each.',
  properties: {
    capBytes: { type: 'integer', minimum: 0, description: 'Default: 64 MiB.' },
    temporaryDirectory: {
      type: 'boolean',
      description: 'Keeps the bytes in a temporary directory instead of in memory. Default: false.',
    },
  },
}

/** The bytes of files, up to a cap. */
export class Contents {
  readonly #storage: Storage
  readonly #capBytes: number
  #usedBytes = 0
  #count = 0

  constructor(storage: Storage, capBytes: number = USUAL_CAP) {
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
