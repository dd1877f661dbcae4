import { hash } from 'node:crypto'
import type { FileAction, FileOptions } from '../../engine/file-option.ts'
import { essenceOf } from '../../media-type.ts'
import { parseXmlRoot } from '../../shape/parse-xml.ts'
import { runTreeAction } from '../dav/tree-actions.ts'
import { describeFile } from './describe-file.ts'
import {
  areKnown,
  concatenate,
  type Facts,
  factsOfFile,
  fill,
  isKnown,
  joined,
  timeOf,
} from './file-facts.ts'
import { type Call, type FileRequest, type FileResult, keep, mismatchIn, placeIn } from './keep-file.ts'
import { listFiles } from './list-files.ts'
import { fileAt, type Files, type StoredFile } from './stored-file.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** What is known of a request by itself: its path's parameters, query fields, and headers as `{header.range}`. */
export function factsOfRequest({ params, query, headers, method, made, path, now }: FileRequest): Facts {
  return (name) => {
    if (Object.hasOwn(params, name)) return params[name]
    if (Object.hasOwn(query, name)) return query[name]
    if (name.startsWith('header.')) return headers[name.slice('header.'.length)]
    if (name.startsWith('made.')) return made(name)
    if (name === 'href') return path
    if (name.startsWith('now.')) return timeOf(now, name.replace('now', 'modified'))
    return name === 'method' ? method : undefined
  }
}

/** Does what a request asks for with the files. @throws Error where the body should be XML and is not */
export function runFileAction(options: FileOptions, request: FileRequest, files: Files): FileResult {
  const requested = factsOfRequest(request)
  const place = placeIn(options, requested)
  const facts = joined(requested, (name) => (name === 'key' ? place.key : undefined))
  const upload = options.upload === undefined ? place : placeIn(options.upload, facts)
  if (isOrphan(options, facts, files)) return { outcome: 'orphan', facts }
  const call: Call = { options, request, files, facts, place, upload }
  const act = options.tree === undefined ? ACTIONS[options.action] : undefined
  return act === undefined ? runTreeAction(call) : act(call)
}

function isOrphan({ needs, exists = [] }: FileOptions, facts: Facts, files: Files): boolean {
  if (needs === undefined) return false
  const path = fill(needs, facts)
  return fileAt(path, files) === undefined && !exists.includes(path)
}

type Act = (call: Call) => FileResult

const ACTIONS: Readonly<Partial<Record<FileAction, Act>>> = {
  put(call) {
    const { options, request, facts, files } = call
    if (options.from === undefined) return keep(call, request.bytes, undefined)
    const path = decodeSegment(fill(options.from, facts))
    const source = fileAt(path, files)
    const own: Facts = (name) => (name === 'source.key' ? path.replace(/^\/?[^/]*\//, '') : undefined)
    if (source === undefined) return { outcome: 'missing', facts: joined(own, facts) }
    const { given, is } = options.renews ?? { given: '', is: '-' }
    const isNew = fill(given, facts) === is
    return keep({ ...call, facts: joined(own, facts) }, source.bytes, isNew ? undefined : source)
  },
  get({ options, request, files, facts, place }) {
    const file = files.get(place.path, place.key)
    if (file === undefined) return { outcome: 'missing', facts }
    const accepted = request.headers['accept']?.split(',').map((each) => essenceOf(each.trim())) ?? []
    const type = (name: string): string | undefined =>
      name === 'accepted' && accepted.includes(essenceOf(file.type)) ? file.type : undefined
    const own = joined(factsOfFile(file), joined(type, facts))
    const wrong = mismatchIn(options, own)
    return wrong === undefined ? { outcome: 'done', facts: own, file } : { outcome: wrong, facts: own }
  },
  delete({ options, request, files, facts, place }) {
    if (options.keys !== undefined) {
      const keys = elementTexts(request.bytes.toString(), options.keys)
      for (const key of keys) files.delete(place.path, key)
      const deleted = keys.map(
        (key): Facts =>
          (name) =>
            name === 'key' ? key : undefined,
      )
      return { outcome: 'done', facts: joined((name) => (name === 'deleted' ? deleted : undefined), facts) }
    }
    const file = files.get(place.path, place.key)
    if (file === undefined) return { outcome: 'missing', facts }
    if (options.empty !== undefined && files.list(fill(options.empty, facts)).length > 0)
      return { outcome: 'full', facts }
    files.delete(place.path, place.key)
    // By the name that follows from its bytes, it is deleted under all others too.
    const own = joined(factsOfFile(file), facts)
    if (options.also?.some(({ key = '' }) => fill(key, own) === place.key) === true)
      for (const { key, bytes } of files.list(place.path))
        if (bytes.equals(file.bytes)) files.delete(place.path, key)
    return { outcome: 'done', facts: joined(factsOfFile(file), facts) }
  },
  list: ({ options, files, facts, place }) => ({
    outcome: 'done',
    facts: joined(listFiles(files.list(place.path), options.list ?? {}, facts), facts),
  }),
  begin(call) {
    const { options, request, facts, files, upload } = call
    const source =
      options.from !== undefined && isKnown(options.from, facts)
        ? fileAt(fill(options.from, facts), files)
        : undefined
    if (source !== undefined) return { ...keep(call, source.bytes, source), outcome: 'copied' }
    const id = request.newId(upload.path)
    const bytes = options.upload === undefined ? request.bytes : NO_BYTES
    const file: StoredFile = {
      ...describeFile(call, bytes),
      key: call.place.key || id,
      upload: id,
      parts: {},
    }
    files.put(upload.path, id, file)
    return { outcome: 'done', facts: joined(factsOfUpload(file, 0), facts), file }
  },
  append: (call) =>
    onUpload(call, (file) => {
      const { request, files, upload, options } = call
      const { length } = file.bytes
      const facts = joined(factsOfUpload(file, length), call.facts)
      const wrong = mismatchIn(options, facts)
      if (wrong !== undefined) return { outcome: wrong, facts, file }
      const grown = { ...file, bytes: concatenate([file.bytes, request.bytes]), modified: request.now }
      files.put(upload.path, upload.key, grown)
      return { outcome: 'done', facts: joined(factsOfUpload(grown, length), call.facts), file: grown }
    }),
  part: (call) =>
    onUpload(call, (file) => {
      const { request, files, upload, facts, place } = call
      const part: StoredFile = { ...describeFile(call, request.bytes), key: file.key }
      const wrong = mismatchIn(call.options, joined(factsOfFile(part), facts))
      if (wrong !== undefined) return { outcome: wrong, facts: joined(factsOfFile(part), facts) }
      const grown = { ...file, parts: { ...file.parts, [place.key]: request.bytes } }
      files.put(upload.path, upload.key, grown)
      return { outcome: 'done', facts: joined(factsOfFile(part), facts), file: part }
    }),
  status: (call) =>
    onUpload(call, (file) => ({
      outcome: 'done',
      facts: joined(factsOfUpload(file, file.bytes.length), call.facts),
      file,
    })),
  parts: (call) =>
    onUpload(call, (file) => {
      const parts = numbered(file).map(([number, bytes]): Facts =>
        joined(
          (name) => (name === 'number' ? number : undefined),
          factsOfFile({ ...file, bytes, etag: '', key: number }),
        ),
      )
      const own: Facts = (name) => (name === 'files' ? parts : undefined)
      return { outcome: 'done', facts: joined(own, joined(factsOfUpload(file, 0), call.facts)), file }
    }),
  complete: (call) =>
    onUpload(call, (file) => {
      const { request, files, upload, options } = call
      const parts = numbered(file)
      const isInParts = options.upload !== undefined && parts.length > 0
      const bytes = isInParts
        ? concatenate(parts.map(([, part]) => part))
        : concatenate([file.bytes, request.bytes])
      const sums = Buffer.concat(parts.map(([, part]) => Buffer.from(hash('md5', part), 'hex')))
      const own: Facts = (name) => {
        if (name === 'parts.md5') return areKnown(bytes) ? hash('md5', sums) : undefined
        return name === 'parts.count' ? String(parts.length) : undefined
      }
      // A request that names the parts is not what is stored.
      const { 'content-type': _type, ...headers } = request.headers
      const plain = isInParts ? { ...request, headers } : request
      const kept = keep({ ...call, request: plain, facts: joined(own, call.facts) }, bytes, file)
      if (['done', 'replaced'].includes(kept.outcome)) files.delete(upload.path, upload.key)
      return kept
    }),
  abort: (call) =>
    onUpload(call, (file) => {
      call.files.delete(call.upload.path, call.upload.key)
      return { outcome: 'done', facts: joined(factsOfUpload(file, file.bytes.length), call.facts) }
    }),
}

const NO_BYTES = Buffer.alloc(0)

function onUpload(call: Call, act: (file: StoredFile) => FileResult): FileResult {
  const { files, upload, facts, options } = call
  const begun = options.begins === true ? { ...describeFile(call, NO_BYTES), key: upload.key } : undefined
  const file = files.get(upload.path, upload.key) ?? begun
  return file === undefined ? { outcome: 'missing', facts } : act(file)
}

/** @param offset where in the upload this request began */
function factsOfUpload(file: StoredFile, offset: number): Facts {
  return joined((name) => (name === 'offset' ? String(offset) : undefined), factsOfFile(file))
}

function numbered({ parts = {} }: StoredFile): readonly (readonly [string, Buffer])[] {
  return Object.entries(parts).toSorted(([a], [b]) => Number(a) - Number(b))
}

function elementTexts(xml: string, path: string): readonly string[] {
  const [, ...names] = path.split('/')
  const [name, root] = parseXmlRoot(xml)
  let found: readonly unknown[] = name === names[0] ? [root] : []
  for (const each of names.slice(1))
    found = found.flatMap((node) => (node as Record<string, unknown> | undefined)?.[each] ?? [])
  return found.map(String)
}
