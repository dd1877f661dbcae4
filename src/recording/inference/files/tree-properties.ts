import { comparableComponents } from '../../../collections/dav/components.ts'
import { requestedIn, dav, TOKEN } from '../../../collections/dav/multi-status.ts'
import {
  factsOfResource,
  type Resource,
  targetOf,
  type Tree,
} from '../../../collections/dav/resource-tree.ts'
import { DIGEST_FACTS, type Facts } from '../../../collections/files/file-facts.ts'
import type { FileTree } from '../../../engine/file-option.ts'
import { countEach, groupBy } from '../../../grouping.ts'
import {
  elementsIn,
  escapeXml,
  localName,
  type Prefixes,
  readXmlTree,
  textIn,
  writeXml,
  type XmlElement,
} from '../../../shape/xml-tree.ts'
import type { Recorded } from '../recorded.ts'
import { madeParts, templateOf } from './answer-text.ts'

/** What was answered of a property. */
interface PropertySeen {
  readonly name: string
  readonly resource: Resource
  readonly facts: Facts
  /** Absent where the resource had no such property. */
  readonly element: XmlElement | undefined
  /** Whether it was not requested for by its name. */
  readonly isOfAll: boolean
}

/** What one answer about properties says. */
export interface PropertiesSeen {
  readonly properties: readonly PropertySeen[]
  /** Whether something that was requested for is left out. */
  readonly omits: boolean
  readonly base: string
  readonly prefixes: Prefixes
  /** How deep a request went that did not say so. */
  readonly depth?: string | undefined
  readonly refused: readonly (readonly [name: string, status: number])[]
}

/** Reads what was answered of the properties of resources; `undefined` where it is another answer. */
export function seeProperties(recorded: Recorded, tree: Tree, path: string): PropertiesSeen | undefined {
  const { answered, sent, headers } = recorded
  const text = answered.bytes?.toString() ?? ''
  const root = readXmlTree(text)
  if (root?.name !== dav('multistatus')) return undefined
  const requested = requestedIn(readXmlTree(sent?.toString() ?? ''))
  const properties: PropertySeen[] = []
  const refused: [string, number][] = []
  let [omits, base] = [false, '']
  const responses = elementsIn(root, dav('response'))
  for (const response of responses) {
    const href = textIn(elementsIn(response, dav('href'))[0]).trim()
    const [, origin = ''] = /^(https?:\/\/[^/]+)/.exec(href) ?? []
    base = origin
    const key = targetOf(href, path)
    const resource = key === undefined ? undefined : tree.at(key)
    const parts = elementsIn(response, dav('propstat'))
    if (resource === undefined || parts.length === 0) continue
    const facts = factsOfResource(tree, resource, href.slice(origin.length))
    const seen = parts.flatMap((part): PropertySeen[] => {
      const status = Number(/ (\d{3})/.exec(textIn(elementsIn(part, dav('status'))[0]))?.[1] ?? 200)
      const elements = elementsIn(part, dav('prop')).flatMap((prop) => elementsIn(prop))
      return elements.map((element) => {
        if (status >= 400 && status !== 424) refused.push([element.name, status])
        const common = { name: element.name, resource, facts, isOfAll: requested.names === undefined }
        return { ...common, element: status === 200 ? element : undefined }
      })
    })
    properties.push(...seen)
    if (requested.names?.some((name) => !seen.some((each) => each.name === name)) === true) omits = true
    const [token] = elementsIn(root, TOKEN)
    const target = targetOf(recorded.url.replace(/\?.*$/s, ''), path)
    const of = target === undefined ? undefined : tree.at(target)
    if (token !== undefined && of !== undefined && response === responses[0])
      properties.push({ ...{ name: TOKEN, resource: of, facts, element: token }, isOfAll: false })
  }
  const isDeep = responses.length > 1
  const depth = headers['depth'] === undefined ? (isDeep ? 'infinity' : '0') : undefined
  return { properties, omits, base, prefixes: prefixesIn(text), depth, refused }
}

function prefixesIn(text: string): Prefixes {
  const [, root = ''] = /<((?![?!])[^<>]*)>/.exec(text) ?? []
  const found = [...root.matchAll(/\sxmlns(?::([\w.-]+))?\s*=\s*["']([^"']*)["']/g)]
  return Object.fromEntries(found.map(([, prefix = '', namespace = '']) => [namespace, prefix]).toReversed())
}

/** The properties of what is in a tree, as its answers had them. */
export function learnProperties(all: readonly PropertiesSeen[]): FileTree {
  const prefixes: Record<string, string> = {}
  for (const [namespace, prefix] of all.flatMap((each) => Object.entries(each.prefixes)))
    if (!Object.values(prefixes).includes(prefix)) prefixes[namespace] ??= prefix
  const seen = all.flatMap((each) => each.properties)
  const properties = [...groupBy(seen, ({ name }) => name)].flatMap(([name, own]) => {
    // What a client has set is as it was set.
    const others = own.filter(({ resource }) => !Object.hasOwn(resource.file.properties ?? {}, name))
    const byKind = learnKinds(name, others, prefixes)
    return Object.values(byKind).every((value) => value === null) ? [] : [[name, byKind] as const]
  })
  const unnamed = seen.filter(({ isOfAll, element }) => isOfAll && element !== undefined)
  const learned = new Map(properties)
  const names = [...new Set(unnamed.map(({ name }) => name))].filter((name) => learned.has(name))
  const depth = all
    .flatMap((each) => each.depth ?? [])
    .toSorted()
    .at(-1)
  const base = all.map((each) => each.base).find((each) => each !== '')
  return {
    properties: Object.fromEntries(properties),
    ...(names.length > 0 && { all: names }),
    ...(Object.keys(prefixes).length > 0 && { prefixes }),
    ...(base !== undefined && { base }),
    ...(all.some(({ omits }) => omits) && { omits: true }),
    ...(depth !== undefined && { depth }),
  }
}

/** The properties that clients could not set. */
export function learnRefused(all: readonly PropertiesSeen[]): FileTree {
  const refused = all.flatMap((each) => each.refused)
  return refused.length === 0 ? {} : { refuses: Object.fromEntries(refused) }
}

type ByKind = Readonly<Record<string, string | null>>

function learnKinds(name: string, seen: readonly PropertySeen[], prefixes: Prefixes): ByKind {
  const [folders, files] = [true, false].map((is) => seen.filter(({ resource }) => resource.isFolder === is))
  const byKind: Record<string, string | null> = {}
  const learn = (kind: string, own: readonly PropertySeen[]): boolean => {
    const value = learnValue(name, own, prefixes)
    if (value !== undefined) byKind[kind] = value
    return value !== undefined
  }
  for (const [kind, own] of groupBy(folders ?? [], ({ resource }) => folderKind(resource))) learn(kind, own)
  const whole = files ?? []
  if (whole.length > 0 && !learn('*', whole))
    for (const [kind, own] of groupBy(whole, ({ resource }) => resource.kinds[0] ?? '*')) learn(kind, own)
  const usual = byKind['*']
  for (const kind of Object.keys(byKind))
    if (kind !== '*' && usual === byKind[kind] && kind.startsWith('*.')) delete byKind[kind]
  return byKind
}

// What any client has is learned of all of them.
function folderKind({ kinds }: Resource): string {
  return kinds.find((kind) => kind.includes('*')) ?? kinds[0] ?? 'collection'
}

/** @returns `null` where it has no such property, `undefined` where its value follows no rule */
function learnValue(
  name: string,
  seen: readonly PropertySeen[],
  prefixes: Prefixes,
): string | null | undefined {
  const there = seen.filter(({ element }) => element !== undefined)
  if (there.length * 2 < seen.length || there.length === 0) return null
  const given = there.map(({ element, facts }) => {
    const escaped: Facts = (fact) => {
      const value = facts(fact)
      return typeof value === 'string' ? escapeXml(value) : value
    }
    return { text: valueText(element, facts, prefixes), facts: escaped }
  })
  const place = localName(name)
  const isValidator = /^(getctag|sync-token|getetag)$/.test(place)
  const template = templateOf(given, { names: FACTS, place })
  const known = isValidator && template?.includes('{') !== true ? madeParts(given[0]?.text ?? '') : template
  if (known === undefined) return mostOf(given.map(({ text }) => text))
  const settled = known.replaceAll('{made.', '{state.')
  return place === 'creationdate' ? settled.replaceAll('{modified.', '{created.') : settled
}

const FACTS = ['content', 'etag', 'etag.value', ...DIGEST_FACTS, 'href', 'type', 'basename', 'size']

function mostOf(texts: readonly string[]): string | undefined {
  const [[text, count] = ['', 0]] = [...countEach(texts)].toSorted(([, a], [, b]) => b - a)
  return count * 2 > texts.length ? text : undefined
}

// Calendars and cards may be written anew.
function valueText(element: XmlElement | undefined, facts: Facts, prefixes: Prefixes): string {
  const own = textIn(element)
  const content = facts('content')
  if (typeof content === 'string' && /^\s*BEGIN:/.test(own)) {
    const [one, other] = [comparableComponents(own), comparableComponents(content)]
    if (one !== undefined && one === other) return escapeXml(content)
  }
  return writeXml(element?.nodes ?? [], prefixes)
}
