import type { FileOptions, FileOutcome, FilePlace } from '../../engine/file-option.ts'
import { type Conditions, evaluate } from '../../http/conditions.ts'
import { describeFile } from './describe-file.ts'
import { type Facts, factsOfFile, fill, isKnown, joined } from './file-facts.ts'
import type { Files, StoredFile } from './stored-file.ts'

/** A request to stored files. */
export interface FileRequest {
  readonly method: string
  /** As it was sent. */
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly conditions: Conditions | undefined
  readonly bytes: Buffer
  readonly now: number
  /** A new id for an upload, by the path of where it will be. */
  readonly newId: (path: string) => string
  /** The ETag of what is stored, where it is known beforehand. */
  readonly etag?: string | undefined
  /** The token of a lock, where it is known beforehand. */
  readonly lock?: string | undefined
  /** A value that is made up, such as `made.hex.32`. */
  readonly made: (name: string) => string
}

/** What a request came to. */
export interface FileResult {
  readonly outcome: FileOutcome
  readonly facts: Facts
  /** The file that is answered with. */
  readonly file?: StoredFile | undefined
  /** The body, where it is more than a template says. */
  readonly text?: string
}

/** Where something is. */
export interface Place {
  readonly path: string
  readonly key: string
}

/** A request with the files that it is for. */
export interface Call {
  readonly options: FileOptions
  readonly request: FileRequest
  readonly files: Files
  readonly facts: Facts
  readonly place: Place
  /** That of the upload; the file's own where uploads are files. */
  readonly upload: Place
}

/** The place that templates name. */
export function placeIn({ in: path = '', key = '' }: FilePlace, facts: Facts): Place {
  const encode = (text: string): string => text.split('/').map(encodeURIComponent).join('/')
  return { path: fill(path, facts, encode), key: fill(key, facts) }
}

/** Stores a file. @param source what its type and headers come from, unless the request has its own */
export function keep(call: Call, bytes: Buffer, source: StoredFile | undefined): FileResult {
  const { options, request, facts, files, place } = call
  const before = files.get(place.path, place.key)
  const plain: StoredFile = { ...describeFile(call, bytes, source), key: place.key }
  const own = joined(factsOfFile(plain), facts)
  const wrong = mismatchIn(options, own)
  if (wrong !== undefined) return { outcome: wrong, facts: own }
  if (before !== undefined && options.replaces === false)
    return { outcome: 'exists', facts: joined(factsOfFile(before), facts) }
  if (isRefused(request, before)) return { outcome: 'precondition', facts: own }
  const file = { ...plain, etag: request.etag ?? fill(options.etag ?? '', own) }
  const written = joined(factsOfFile(file), facts)
  files.put(place.path, place.key, file)
  for (const each of options.also ?? []) {
    const other = placeIn({ in: options.in ?? '', ...each }, written)
    files.put(other.path, other.key, { ...file, key: other.key })
  }
  return { outcome: before === undefined ? 'done' : 'replaced', facts: written, file }
}

/** Whether the preconditions of a request are not met by what is there. */
export function isRefused({ method, conditions }: FileRequest, before: StoredFile | undefined): boolean {
  if (conditions === undefined) return false
  if (before === undefined) return conditions['if-match'] !== undefined
  const lastModified = new Date(before.modified).toUTCString()
  return evaluate(method, conditions, { etag: before.etag || undefined, lastModified }) === 'failed'
}

/** What it comes to that a text is not what was announced; `undefined` where all are. */
export function mismatchIn({ verify = [] }: FileOptions, facts: Facts): FileOutcome | undefined {
  const wrong = verify.find(
    ({ given, is }) => isKnown(given, facts) && fill(given, facts) !== fill(is, facts),
  )
  return wrong && (wrong.outcome ?? 'mismatch')
}
