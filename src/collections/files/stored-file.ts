import type { Collection, Item, Store } from '../../state/store.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** A file, or an upload that may become one. */
export interface StoredFile {
  readonly key: string
  readonly bytes: Buffer
  /** Empty where none is known. */
  readonly type: string
  readonly etag: string
  /** In milliseconds since 1970. */
  readonly modified: number
  /** Headers that are given with it. */
  readonly headers: Readonly<Record<string, string>>
  /** Of an upload: its id, and its numbered parts. */
  readonly upload?: string
  readonly parts?: Readonly<Record<string, Buffer>>
  /** Of a collection in a tree: which kind it is, such as `calendar collection`; empty where it was removed. */
  readonly kind?: string
  /** What clients set of it as XML, by `{namespace}name`. */
  readonly properties?: Readonly<Record<string, string>>
  /** The token of its lock. */
  readonly lock?: string
  /** In milliseconds since 1970; absent where it is the same as `modified`. */
  readonly created?: number
}

/** Files in the store, each an item of the collection at the path it is in. */
export interface Files {
  get(path: string, key: string): StoredFile | undefined
  put(path: string, key: string, file: StoredFile): void
  delete(path: string, key: string): boolean
  /** In the order of their names. */
  list(path: string): readonly StoredFile[]
}

// Read and hashed more often than written.
const read = new WeakMap<Item, StoredFile>()

/** @param store keeps files as items whose bytes are base64 */
export function filesIn(store: Store): Files {
  const at = (path: string): Collection => store.collection(path)
  return {
    get: (path, key) => fileOf(at(path).get(key)),
    put(path, key, file) {
      const item = itemOf(file)
      read.set(item, file)
      at(path).set(key, item)
    },
    delete: (path, key) => at(path).delete(key),
    list: (path) =>
      [...at(path).items()]
        .flatMap((item) => fileOf(item) ?? [])
        .toSorted((a, b) => Number(a.key > b.key) - Number(a.key < b.key)),
  }
}

function itemOf({ bytes, parts, ...file }: StoredFile): Item {
  const coded = Object.entries(parts ?? {}).map(([number, part]) => [number, part.toString('base64')])
  return {
    ...file,
    base64: bytes.toString('base64'),
    ...(parts !== undefined && { parts: Object.fromEntries(coded) }),
  }
}

function fileOf(item: Item | undefined): StoredFile | undefined {
  if (item === undefined || typeof item['key'] !== 'string') return undefined
  const known = read.get(item)
  if (known !== undefined) return known
  const { key, base64 = '', text, type = '', etag = '', modified = 0, headers = {}, upload, parts } = item
  const { kind, properties, created, lock } = item
  const file: StoredFile = {
    key,
    bytes: typeof text === 'string' ? Buffer.from(text) : Buffer.from(String(base64), 'base64'),
    ...{ type: String(type), etag: String(etag), modified: Number(modified) },
    headers: headers as StoredFile['headers'],
    ...(upload !== undefined && { upload: upload as string }),
    ...(kind !== undefined && { kind: kind as string }),
    ...(properties !== undefined && { properties: properties as Record<string, string> }),
    ...(lock !== undefined && { lock: lock as string }),
    ...(created !== undefined && { created: Number(created) }),
    ...(parts !== undefined && {
      parts: Object.fromEntries(
        Object.entries(parts as Record<string, string>).map(([number, part]) => [
          number,
          Buffer.from(part, 'base64'),
        ]),
      ),
    }),
  }
  read.set(item, file)
  return file
}

/** The file at a path, of which the last segment or more is its name. */
export function fileAt(path: string, files: Files): StoredFile | undefined {
  const text = decodeSegment(path.startsWith('/') ? path : `/${path}`)
  for (let at = text.lastIndexOf('/'); at >= 0; at = text.lastIndexOf('/', at - 1)) {
    const found = files.get(text.slice(0, at) || '/', text.slice(at + 1))
    if (found !== undefined || at === 0) return found
  }
  return undefined
}
