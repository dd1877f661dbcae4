import type { FileOptions } from '../../engine/file-option.ts'
import { type Facts, factsOfFile, fill, joined } from './file-facts.ts'
import type { StoredFile } from './stored-file.ts'

interface Described {
  readonly options: FileOptions
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly now: number }
  readonly place: { readonly key: string }
}

/**
 * What is kept of a request's bytes.
 * @param source what type and headers come from, unless the request has its own
 */
export function describeFile(
  { options, request, place }: Described,
  bytes: Buffer,
  source?: StoredFile,
): StoredFile {
  const { types = {}, keeps = [] } = options
  const patterns = keeps.map((name) => new RegExp(`^${name.toLowerCase().replaceAll('*', '.*')}$`))
  const sent = Object.entries(request.headers).filter(([name]) =>
    patterns.some((pattern) => pattern.test(name)),
  )
  const [, ending = ''] = /\.([^./]+)$/.exec(place.key) ?? []
  const given = request.headers['content-type'] ?? ''
  const isSource = source !== undefined && source.type !== ''
  const usual = isSource ? source.type : (types[ending] ?? (given === '' ? (types['*'] ?? '') : given))
  const headers = { ...source?.headers, ...Object.fromEntries(sent) }
  const plain: StoredFile = { key: place.key, bytes, type: usual, etag: '', modified: request.now, headers }
  const sentAs: Facts = (name) => request.headers[/^header\.(.*)/.exec(name)?.[1] ?? '']
  const type = options.type === undefined ? '' : fill(options.type, joined(factsOfFile(plain), sentAs))
  return type === '' ? plain : { ...plain, type }
}
