import { readFragment } from '../../engine/schema/pointer.ts'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { Problem } from '../../data-files/data-file.ts'
import { readJson } from '../../data-files/json.ts'
import { MAX_VALUES } from '../../data-files/limits.ts'
import { textFile } from '../../data-files/text-file.ts'
import { utf8Of } from '../../data-files/utf8.ts'
import { readYaml } from '../../data-files/yaml.ts'
import { remembered } from '../../engine/lazy.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { childOf, createSource, rootOf, type Node, type Source } from './node.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** The files of a description, and what their references mean. */
export interface Library {
  readonly root: Node
  /** What a reference in a file names; a text says why there is none. */
  find(reference: string, from: Source): Node | string
  /** What a node stands for: itself, or what its `$ref` names in the end; a text says why there is none. */
  follow(node: Node): Node | string
  /** The text of a file that a description names beside a reference; a message says why there is none. */
  textOf(address: string, from: Source): { readonly text: string } | string
  /** The files read so far, the description's own first. */
  files(): readonly string[]
}

/** The library of a description. Other files are read when they are first referred to, from its directory or below. */
export function createLibrary(source: Source): Library {
  const home = dirname(source.file)
  const sources = new Map<string, Source | string>([[source.file, source]])
  const open = remembered((file: string) => readSource(file, home), sources)
  // What a document calls itself (OpenAPI 3.2).
  const self = isObject(source.value) ? source.value['$self'] : undefined
  const findFrom = remembered((from: Source) => remembered((reference: string) => look(reference, from)))

  const look = (reference: string, from: Source): Node | string => {
    const mark = reference.indexOf('#')
    const [address, fragment] =
      mark < 0 ? [reference, ''] : [reference.slice(0, mark), reference.slice(mark + 1)]
    const named = namedIn(from).get(address === '' ? `#${fragment}` : address)
    if (named !== undefined && (address === '' || fragment === '')) return named
    if (address !== '' && address === self) return atFragment(source, fragment)
    if (isElsewhere(address))
      return 'references to other hosts are not followed: save the file beside the description'
    const target = address === '' ? from : open(resolve(dirname(from.file), decodeSegment(address)))
    return typeof target === 'string' ? target : atFragment(target, fragment)
  }
  const library: Library = {
    root: rootOf(source),
    find: (reference, from) => findFrom(from)(reference),
    follow(node) {
      const seen = new Set<unknown>()
      let at = node
      for (let reference = referenceOf(at); reference !== undefined; reference = referenceOf(at)) {
        if (seen.has(at.value)) return 'it leads back to itself'
        seen.add(at.value)
        const next = library.find(reference, at.source)
        if (typeof next === 'string') return next
        at = next
      }
      return at
    },
    textOf: (address, from) =>
      isElsewhere(address)
        ? 'it is on another host: save the file beside the description'
        : readBeside(resolve(dirname(from.file), decodeSegment(address)), home),
    files: () => [...sources].filter(([, each]) => typeof each !== 'string').map(([file]) => file),
  }
  return library
}

/** Whether an address leads to another host. */
export function isElsewhere(address: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(address) || address.startsWith('//')
}

/** The `$ref` of a node, if it has one. */
export function referenceOf({ value }: Node): string | undefined {
  return isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'] : undefined
}

/** Since OpenAPI 3.1, what stands beside a `$ref` counts as well. */
export function siblingsCount({ root }: Library): boolean {
  const version = isObject(root.value) ? root.value['openapi'] : undefined
  return !(typeof version === 'string' && version.startsWith('3.0'))
}

function readSource(file: string, home: string): Source | string {
  const read = readBeside(file, home)
  if (typeof read === 'string') return read
  const { format, value, problems } = readText(read.text, file)
  const [problem] = problems
  if (value === undefined)
    return problem === undefined ? `${file} is empty` : `${file}:${problem.line}: ${problem.message}`
  return createSource(textFile(file, read.text), { format, value })
}

function readBeside(file: string, home: string): { readonly text: string } | string {
  if (isOutside(file, home)) return `${file} lies outside of the description's directory`
  try {
    if (isOutside(realpathSync(file), realpathSync(home)))
      return `${file} leads out of the description's directory`
    if (!statSync(file).isFile()) return `${file} is not a file`
    return { text: utf8Of(readFileSync(file)) }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return isMissing ? `there is no file ${file}` : `${file} could not be read: ${(error as Error).message}`
  }
}

function isOutside(file: string, home: string): boolean {
  const way = relative(home, file)
  return way === '..' || way.startsWith('../') || isAbsolute(way)
}

function atFragment(source: Source, fragment: string): Node | string {
  if (fragment !== '' && !fragment.startsWith('/')) return namedIn(source).get(`#${fragment}`) ?? NOT_THERE
  const path = readFragment(fragment)
  let node: Node | undefined = rootOf(source)
  for (const key of source.placeInValue?.(path) ?? path) node = node && childOf(node, key)
  return node ?? NOT_THERE
}

const NOT_THERE = 'it is not there'

/** The schemas of a file that have a name of their own: an `$anchor`, or an `$id`. */
const namedIn = remembered((source: Source): ReadonlyMap<string, Node> => {
  const named = new Map<string, Node>()
  if (!source.hasNames) return named
  const walk = (node: Node): void => {
    const { value } = node
    if (value === null || typeof value !== 'object') return
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = (value as Record<string, unknown>)[keyword]
      if (typeof name === 'string') named.set(`#${name}`, node)
    }
    const id = (value as Record<string, unknown>)['$id']
    if (typeof id === 'string') named.set(id.replace(/#$/, ''), node)
    for (const key of Object.keys(value)) walk(childOf(node, key) as Node)
  }
  walk(rootOf(source))
  return named
}, new WeakMap())

/** The content of a file, or what keeps it from being read. */
export interface ReadText {
  readonly format: 'json' | 'yaml'
  /** `undefined` for a text that cannot be read. */
  readonly value: unknown
  /** In the order of the file. A text with a value can be served in spite of them. */
  readonly problems: readonly Problem[]
}

/** Reads JSON or YAML, within bounds. A text that begins with a brace is JSON, as far as it is JSON. */
export function readText(text: string, file: string): ReadText {
  const json = /^\s*[[{]/.test(text) ? readJson(text, { allowsTwice: true }) : undefined
  // A flow mapping of YAML begins with a brace too.
  if (json !== undefined && (json.value !== undefined || file.endsWith('.json')))
    return { format: 'json', value: json.value, problems: json.problems }
  const { value, problems } = readYaml(text, { maxValues: MAX_VALUES })
  return { format: 'yaml', value, problems: value === undefined ? problems.slice(0, 1) : problems }
}
