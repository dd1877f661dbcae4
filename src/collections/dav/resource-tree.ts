import { hash } from 'node:crypto'
import type { FileTree } from '../../engine/file-option.ts'
import type { XmlElement } from '../../shape/xml-tree.ts'
import { type Facts, factsOfFile, madeText, timeOf } from '../files/file-facts.ts'
import type { Call } from '../files/keep-file.ts'
import type { Files, StoredFile } from '../files/stored-file.ts'

/** A file or collection in a tree. */
export interface Resource {
  /** Its path in the tree, without slashes at its ends; empty for the tree itself. */
  readonly key: string
  readonly isFolder: boolean
  /** What its properties are found by, the most specific first. */
  readonly kinds: readonly string[]
  readonly file: StoredFile
}

/** Files and collections, each named by its path. */
export interface Tree {
  at(key: string): Resource | undefined
  /** What a collection has in itself. */
  membersOf(key: string): readonly Resource[]
  /** A resource and all below it. */
  withBelow(key: string): readonly Resource[]
  put(file: StoredFile): void
  remove(key: string): void
  /** Equal as long as nothing below a resource, and nothing of itself, is changed. */
  stateOf(key: string): string
  /** Notes what a collection has, so that a later request can ask what was changed since. */
  note(token: string, key: string): void
  /** What the collection had when a token was noted: states by path. */
  notedAt(token: string): ReadonlyMap<string, string> | undefined
}

/** A request to a tree. */
export interface TreeCall extends Call {
  readonly options: Call['options'] & { readonly tree: FileTree }
  readonly tree: Tree
  readonly key: string
  /** What is at its path. */
  readonly found: Resource | undefined
  /** Its body, where that is XML. */
  readonly body: XmlElement | undefined
}

/** The path without slashes at its ends. */
export function keyOf(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, '')
}

/** The path of what a resource is in; `undefined` for the tree itself. */
export function parentOf(key: string): string | undefined {
  return key === '' ? undefined : key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/**
 * The tree at a path of the store.
 * @param exists paths that are there from the start
 * @param now what is there from the start was made then
 */
export function treeIn(files: Files, path: string, exists: readonly string[], now: number): Tree {
  const given = ['/', ...exists].map((text) => ({
    ...{ text, key: keyOf(text), isFolder: text.endsWith('/') },
    pattern: new RegExp(`^${keyOf(text).split('/').map(segmentPattern).join('/')}$`),
  }))
  const initial = (key: string): Resource | undefined => {
    const [first, ...others] = given.filter(({ pattern }) => pattern.test(key))
    if (first === undefined) return undefined
    const kinds = [...new Set([first, ...others].map(({ text }) => text))]
    const { isFolder } = first
    const file = { key, bytes: Buffer.alloc(0), type: '', etag: '', modified: now, headers: {} }
    return { key, isFolder, kinds: [...kinds, isFolder ? 'collection' : '*'], file }
  }
  const resource = (file: StoredFile): Resource | undefined => {
    const { key, kind } = file
    if (kind === '') return undefined
    if (kind !== undefined) return { key, isFolder: true, kinds: [...new Set([kind, 'collection'])], file }
    const [, ending] = /\.([^./]+)$/.exec(key) ?? []
    return { key, isFolder: false, kinds: [...(ending === undefined ? [] : [`*.${ending}`]), '*'], file }
  }
  const at: Tree['at'] = (key) => {
    const file = files.get(path, key)
    const first = initial(key)
    if (file === undefined) return first
    const own = resource(file)
    return own?.isFolder === true && first !== undefined
      ? { ...own, kinds: [...new Set([...first.kinds.slice(0, -1), ...own.kinds])] }
      : own
  }
  let known: readonly Resource[] | undefined
  const all = (): readonly Resource[] => {
    if (known !== undefined) return known
    const keys = [...given.map(({ key }) => key), ...files.list(path).map(({ key }) => key)]
    known = [...new Set(keys)].filter((key) => !key.includes('*')).flatMap((key) => at(key) ?? [])
    return known
  }
  const withBelow: Tree['withBelow'] = (key) =>
    all().filter((each) => key === '' || each.key === key || each.key.startsWith(`${key}/`))
  const put = (file: StoredFile): void => {
    known = undefined
    files.put(path, file.key, file)
  }
  const membersOf: Tree['membersOf'] = (key) => all().filter((each) => parentOf(each.key) === key)
  const stateOf: Tree['stateOf'] = (key) => {
    const own = at(key)
    const those = own?.isFolder === false ? [own] : withBelow(key)
    return hash('md5', JSON.stringify(those.map(({ file, kinds }) => [file.key, kinds, stampOf(file)])))
  }
  const tokens = `${path === '/' ? '' : path}#tokens`
  return {
    ...{ at, withBelow, membersOf, put, stateOf },
    remove(key) {
      const first = initial(key)
      if (first !== undefined) put({ ...first.file, kind: '' })
      else files.delete(path, key)
      known = undefined
    },
    note(token, key) {
      const members = membersOf(key).map((each) => [each.key, stateOf(each.key)])
      files.put(tokens, hash('md5', token), {
        ...{ key: hash('md5', token), type: 'application/json', etag: '', modified: now, headers: {} },
        bytes: Buffer.from(JSON.stringify(members)),
      })
    },
    notedAt(token) {
      const noted = files.get(tokens, hash('md5', token))
      return noted && new Map(JSON.parse(noted.bytes.toString()) as [string, string][])
    },
  }
}

/** Where in the tree an address is; `undefined` where it is outside. */
export function targetOf(address: string, path: string): string | undefined {
  try {
    const { pathname } = new URL(address, 'http://localhost')
    const text = decodeURIComponent(pathname)
    const above = path === '/' ? '' : decodeURIComponent(path)
    return text === above || text.startsWith(`${above}/`) ? keyOf(text.slice(above.length)) : undefined
  } catch {
    return undefined
  }
}

function segmentPattern(segment: string): string {
  return segment === '*' ? '[^/]+' : segment.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

function stampOf({ bytes, etag, modified, properties, kind }: StoredFile): unknown {
  return [kind === undefined ? [etag, modified, hash('md5', bytes)] : [], properties]
}

/** What is known of a resource. @param href its address */
export function factsOfResource(tree: Tree, { key, file }: Resource, href: string): Facts {
  const own = factsOfFile(file)
  return (name) => {
    if (name === 'href') return href
    if (name === 'content') return file.bytes.toString()
    if (name.startsWith('state.')) return madeText(name, tree.stateOf(key))
    if (name.startsWith('created.'))
      return timeOf(file.created ?? file.modified, name.replace('created', 'modified'))
    return own(name)
  }
}
