import type { FileAction } from '../../engine/file-option.ts'
import { elementsIn, localName, readXmlTree, writeXml, type XmlElement } from '../../shape/xml-tree.ts'
import { factsOfFile, joined } from '../files/file-facts.ts'
import { type Call, type FileResult, isRefused, keep } from '../files/keep-file.ts'
import type { StoredFile } from '../files/stored-file.ts'
import {
  requestedIn,
  dav,
  hrefOf,
  propertiesOf,
  type PropertyAnswer,
  writeMultiStatus,
  writePropertyResponse,
} from './multi-status.ts'
import { readComponents } from './components.ts'
import { report } from './reports.ts'
import {
  factsOfResource,
  keyOf,
  parentOf,
  type Resource,
  targetOf,
  type Tree,
  type TreeCall,
  treeIn,
} from './resource-tree.ts'

/** Does what a request asks for with files and collections (RFC 4918). */
export function runTreeAction(call: Call): FileResult {
  const { options, request, files, place, facts } = call
  const own = options.tree ?? {}
  const tree = treeIn(files, place.path, own.exists ?? [], request.now)
  const key = keyOf(place.key)
  const found = tree.at(key)
  const isXml = /^(make|properties|change|report)$/.test(options.action)
  const isRead = /^(get|properties|report|unlock)$/.test(options.action)
  if (own.slash === true && found?.isFolder === true && !/^(put|make)$/.test(options.action))
    if (!request.path.endsWith('/')) return { outcome: 'slash', facts }
  if (own.locks === true && !isRead && !('if' in request.headers) && lockedAt(tree, key) !== undefined)
    return { outcome: 'locked', facts }
  const act = ACTIONS[options.action]
  if (act === undefined) return { outcome: 'unsupported', facts }
  return act({
    ...{ ...call, options: { ...options, tree: own }, tree, key, found, place: { ...place, key } },
    body: isXml ? readXmlTree(request.bytes.toString()) : undefined,
  })
}

const NO_BYTES = Buffer.alloc(0)

const ACTIONS: Readonly<Partial<Record<FileAction, (call: TreeCall) => FileResult>>> = {
  put(call) {
    const { tree, key, found, facts, request, options } = call
    if (found?.isFolder === true) return { outcome: 'folder', facts }
    if (isWithoutParent(tree, key) && options.tree.parents !== true) return { outcome: 'orphan', facts }
    if (options.tree.checks === true && isInvalid(call)) return { outcome: 'mismatch', facts }
    if (found === undefined && request.conditions?.['if-match'] !== undefined)
      return { outcome: 'precondition', facts }
    const kept = keep({ ...call, options: { ...options, action: 'put' } }, request.bytes, undefined)
    const { file } = kept
    if (file === undefined) return kept
    makeParents(tree, key, request.now)
    const { created = request.now, properties, lock } = found?.file ?? {}
    const own = { ...(properties !== undefined && { properties }), ...(lock !== undefined && { lock }) }
    const whole = { ...file, created, ...own }
    tree.put(whole)
    return { ...kept, file: whole }
  },
  get({ tree, key, found, facts, place }) {
    if (found === undefined) return { outcome: 'missing', facts }
    if (!found.isFolder)
      return { outcome: 'done', facts: joined(factsOfFile(found.file), facts), file: found.file }
    const members = tree.membersOf(key).map((each) => factsOfResource(tree, each, hrefOf(place.path, each)))
    return { outcome: 'folder', facts: joined((name) => (name === 'files' ? members : undefined), facts) }
  },
  delete({ tree, key, found, facts, request }) {
    if (found === undefined) return { outcome: 'missing', facts }
    if (isRefused(request, found.file)) return { outcome: 'precondition', facts }
    for (const each of tree.withBelow(key)) tree.remove(each.key)
    return { outcome: 'done', facts: joined(factsOfFile(found.file), facts) }
  },
  make({ tree, key, found, facts, options, body, request }) {
    if (found !== undefined) return { outcome: 'exists', facts }
    if (isWithoutParent(tree, key)) return { outcome: 'orphan', facts }
    const set = elementsIn(body, dav('set')).flatMap((each) => elementsIn(each, dav('prop')))
    const all = set.flatMap((each) => elementsIn(each))
    const [type] = all.filter(({ name }) => name === dav('resourcetype'))
    const named = elementsIn(type).map(({ name }) => localName(name))
    const kind = kindOf(named) || (options.tree.kind ?? 'collection')
    const values = all.filter((each) => each !== type).map(written)
    tree.put({ ...emptyFile(key, request.now), kind, properties: Object.fromEntries(values) })
    const { response, prefixes } = options.tree
    if (response === undefined || body === undefined) return { outcome: 'done', facts }
    const properties = all.map(({ name }) => ({ name, status: 200, value: '' }))
    return { outcome: 'done', facts, text: writePropertyResponse(response, properties, prefixes) }
  },
  copy: (call) => transfer(call, false),
  move: (call) => transfer(call, true),
  properties({ tree, key, found, facts, options, request, place, body }) {
    if (found === undefined) return { outcome: 'missing', facts }
    const depth = request.headers['depth'] ?? options.tree.depth ?? 'infinity'
    const members = depth === '1' ? tree.membersOf(key) : tree.withBelow(key)
    const others = depth === '0' ? [] : members.filter((each) => each.key !== key)
    const requested = { requested: requestedIn(body), path: place.path }
    const items = [found, ...others].map((each) => propertiesOf(tree, options.tree, each, requested))
    return { outcome: 'done', facts, text: writeMultiStatus(items, options.tree.prefixes) }
  },
  change({ tree, found, facts, options, place, body }) {
    if (found === undefined) return { outcome: 'missing', facts }
    const { refuses = {}, prefixes, base } = options.tree
    const properties = { ...found.file.properties }
    const changed = elementsIn(body).flatMap((each): PropertyAnswer[] =>
      elementsIn(each, dav('prop')).flatMap((prop) =>
        elementsIn(prop).map((one) => {
          const [name, value] = written(one)
          const status = refuses[name] ?? 200
          if (status === 200 && each.name === dav('set')) properties[name] = value
          else if (status === 200) delete properties[name]
          return { name, status, value: '' }
        }),
      ),
    )
    // All or nothing (RFC 4918, section 9.2).
    const isDone = changed.every(({ status }) => status === 200)
    const answers = isDone
      ? changed
      : changed.map((each) => ({ ...each, status: each.status === 200 ? 424 : each.status }))
    if (isDone) {
      tree.put({ ...found.file, ...kindIn(found), properties })
    }
    const item = { href: hrefOf(place.path, found, base), properties: answers }
    return { outcome: 'done', facts, text: writeMultiStatus([item], prefixes) }
  },
  report,
  lock({ tree, found, facts, request }) {
    if (found === undefined) return { outcome: 'missing', facts }
    const lock = found.file.lock ?? request.lock ?? `opaquelocktoken:${request.made('made.uuid')}`
    tree.put({ ...found.file, ...kindIn(found), lock })
    return { outcome: 'done', facts: joined((name) => (name === 'lock' ? lock : undefined), facts) }
  },
  unlock({ tree, key, found, facts }) {
    const locked = lockedAt(tree, key)
    if (found === undefined || locked === undefined) return { outcome: 'missing', facts }
    const { lock: _lock, ...file } = locked.file
    tree.put({ ...file, ...kindIn(locked) })
    return { outcome: 'done', facts }
  },
}

function kindIn({ isFolder, kinds }: Resource): { readonly kind?: string } {
  return isFolder ? { kind: kinds[0] ?? 'collection' } : {}
}

// A collection is locked with all that is in it (RFC 4918, section 6.1).
function lockedAt(tree: Tree, key: string | undefined): Resource | undefined {
  if (key === undefined) return undefined
  const found = tree.at(key)
  return found?.file.lock === undefined ? lockedAt(tree, parentOf(key)) : found
}

function isInvalid({ key, request: { headers, bytes } }: TreeCall): boolean {
  const isNamed = /^text\/(calendar|vcard)/.test(headers['content-type'] ?? '') || /\.(ics|vcf)$/.test(key)
  return isNamed && readComponents(bytes.toString()) === undefined
}

function written(element: XmlElement): readonly [name: string, value: string] {
  return [element.name, writeXml(element.nodes, NO_PREFIXES)]
}

const NO_PREFIXES = {}

/** A kind by the names in a resource's type, such as `calendar collection`. */
export function kindOf(names: readonly string[]): string {
  return names.toSorted().join(' ')
}

function emptyFile(key: string, now: number): StoredFile {
  return { key, bytes: NO_BYTES, type: '', etag: '', modified: now, created: now, headers: {} }
}

function isWithoutParent(tree: Tree, key: string): boolean {
  const parent = parentOf(key)
  return parent === undefined || tree.at(parent)?.isFolder !== true
}

function makeParents(tree: Tree, key: string, now: number): void {
  const parent = parentOf(key)
  if (parent === undefined || tree.at(parent) !== undefined) return
  makeParents(tree, parent, now)
  tree.put({ ...emptyFile(parent, now), kind: 'collection' })
}

function transfer(call: TreeCall, isMove: boolean): FileResult {
  const { tree, key, found, request, place } = call
  if (found === undefined) return { outcome: 'missing', facts: call.facts }
  const address = request.headers['destination'] ?? ''
  const to = address === '' ? undefined : targetOf(address, place.path)
  if (to === undefined || to === key || to.startsWith(`${key}/`))
    return { outcome: 'unsupported', facts: call.facts }
  const { pathname } = new URL(address, 'http://localhost')
  const facts = joined((name) => (name === 'destination' ? pathname : undefined), call.facts)
  if (isWithoutParent(tree, to)) return { outcome: 'orphan', facts }
  const there = tree.at(to)
  if (there !== undefined && request.headers['overwrite']?.toUpperCase() === 'F')
    return { outcome: 'exists', facts }
  const isWhole = isMove || request.headers['depth'] !== '0'
  const all = isWhole ? tree.withBelow(key) : [found]
  for (const each of tree.withBelow(to)) tree.remove(each.key)
  for (const { key: from, file, isFolder, kinds } of all) {
    if (isMove) tree.remove(from)
    const kind = isFolder ? { kind: file.kind ?? kinds.at(-1) ?? 'collection' } : {}
    tree.put({ ...file, ...kind, key: to + from.slice(key.length) })
  }
  return { outcome: there === undefined ? 'done' : 'replaced', facts: joined(factsOfFile(found.file), facts) }
}
