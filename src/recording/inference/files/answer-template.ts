import { type Facts, joined } from '../../../collections/files/file-facts.ts'
import type { RepeatedText } from '../../../engine/file-option.ts'
import { countEach } from '../../../grouping.ts'
import { templateOf } from './answer-text.ts'
import { type Element, leavesOf, type Part, partsOf, textOfPart } from './answer-tree.ts'

/** A body that was answered, and what was known then. */
export interface GivenBody {
  readonly text: string
  readonly type: string
  readonly facts: Facts
}

/** What writes bodies as they were answered. */
export interface BodyTemplate {
  readonly text: string
  readonly each?: Readonly<Record<string, RepeatedText>>
}

/** Lists among the facts. */
const LISTS = ['files', 'prefixes', 'deleted']

interface Merging {
  readonly names: readonly string[]
  readonly each: Record<string, RepeatedText>
  readonly isXml: boolean
  /** How quotation marks are written in XML. */
  readonly quote: string
}

interface Seen<Kind> {
  readonly part: Kind
  readonly facts: Facts
}

/**
 * The template that writes each of these bodies from its facts; `undefined` where none does.
 * @param names of the facts that may explain a text
 */
export function bodyTemplate(
  given: readonly GivenBody[],
  names: readonly string[],
): BodyTemplate | undefined {
  if (given.every(({ text }) => text === '')) return { text: '' }
  const trees = given.map(({ text, type }) => partsOf(text, type))
  const each: Record<string, RepeatedText> = {}
  if (trees.some((tree) => tree === undefined)) {
    const text = templateOf(given, { names, place: '' })
    return text === undefined ? undefined : { text }
  }
  const isXml = /^\s*</.test(given[0]?.text ?? '')
  const quote = ['&quot;', '&#34;'].find((sign) => given.some(({ text }) => text.includes(sign))) ?? '"'
  const seen = given.map(({ facts }, index) => ({ part: trees[index] as Element, facts }))
  const text = mergeElements(seen, { names, each, isXml, quote })
  if (text === undefined) return undefined
  return Object.keys(each).length === 0 ? { text } : { text, each }
}

function mergeElements(seen: readonly Seen<Element>[], merging: Merging): string | undefined {
  const [first] = seen
  if (first === undefined) return undefined
  const { name, close, separator } = first.part
  const opens = seen.map(({ part, facts }) => ({ text: part.open, facts }))
  const open = templateOf(opens, { names: merging.names, place: name })
  // An element without anything may end itself.
  const full = seen.find(({ part }) => part.close !== '') ?? first
  const hasEmpty = seen.some(({ part }) => part.open.endsWith('/>')) && full.part.close !== ''
  const content = mergeParts(seen, merging)
  if (content === undefined) return undefined
  if (hasEmpty) return `${full.part.open}${content}${full.part.close}`
  return open === undefined || separator === undefined ? undefined : `${open}${content}${close}`
}

function mergeParts(seen: readonly Seen<Element>[], merging: Merging): string | undefined {
  const { name, separator, open } = seen[0]?.part ?? { name: '', separator: '', open: '' }
  if (seen.every(({ part }) => part.parts.every((each) => typeof each === 'string'))) {
    const texts = seen.map(({ part, facts }) => ({
      text: plain(part.parts.map(textOfPart).join(''), merging),
      facts,
    }))
    const template = templateOf(texts, { names: merging.names, place: name })
    return template === undefined ? undefined : written(template, merging)
  }
  const inOrder = mergeInOrder(seen, merging)
  if (inOrder !== undefined) return inOrder
  const pieces: string[] = []
  const keyOf = open === '[' ? itemKey : partKey
  for (const key of orderOf(seen.map(({ part }) => part.parts.map(keyOf)))) {
    const own = seen.map(({ part, facts }) => ({
      facts,
      part: part.parts.filter((each) => keyOf(each) === key),
    }))
    const mayRepeat = merging.isXml ? /^\s*</.test(open) : open === '['
    const piece = mergeSame(key, own, { separator, last: pieces.at(-1), mayRepeat }, merging)
    if (piece === undefined) return undefined
    if (piece !== '') pieces.push(piece)
  }
  return pieces.join('')
}

// Where texts stand between elements, as in HTML, and all have the same elements, each part is like those in its place.
function mergeInOrder(seen: readonly Seen<Element>[], merging: Merging): string | undefined {
  const [first] = seen
  const keys = first?.part.parts.map(partKey) ?? []
  const isMixed = merging.isXml && keys.includes('') && keys.some((key) => key !== '')
  if (!isMixed || seen.some(({ part }) => part.parts.map(partKey).join() !== keys.join())) return undefined
  const pieces = keys.map((_, index) =>
    mergeAny(
      seen.flatMap(({ part, facts }) =>
        part.parts.slice(index, index + 1).map((each) => ({ part: each, facts })),
      ),
      merging,
    ),
  )
  return pieces.includes(undefined) ? undefined : pieces.join('')
}

/** Where parts of one kind stand. */
interface Around {
  readonly separator: string
  /** What was made of the parts before them. */
  readonly last: string | undefined
  /** Whether they are items of a list. */
  readonly mayRepeat: boolean
}

function mergeSame(
  key: string,
  seen: readonly Seen<readonly Part[]>[],
  { separator, last, mayRepeat }: Around,
  merging: Merging,
): string | undefined {
  const before = last === undefined ? '' : separator
  const all = seen.flatMap(({ part, facts }) => part.map((each) => ({ part: each, facts })))
  const list = LISTS.find((name) => seen.every(({ part, facts }) => itemsOf(part, facts(name)) !== undefined))
  if (mayRepeat && list !== undefined && all.length > 0 && !isAround(seen)) {
    const items = seen.flatMap(({ part, facts }) => {
      const of = itemsOf(part, facts(list)) ?? []
      return part.map((each, index) => ({ part: each, facts: ofItem(of[index] ?? facts, facts) }))
    })
    const text = mergeAny(items, merging)
    if (text === undefined) return undefined
    const follows = /\{(\w+)\}$/.exec(last ?? '')?.[1]
    if (follows === undefined || separator === '' || !Object.hasOwn(merging.each, follows))
      return before + addBlock(key, { of: list, text, separator }, merging)
    return addBlock(key, { of: list, text, separator, follows }, merging)
  }
  if (seen.every(({ part }) => part.length === 1)) {
    const text = mergeAny(all, merging)
    return text === undefined ? undefined : before + text
  }
  if (seen.every(({ part }) => part.length <= 1)) {
    const of = merging.names.find((name) =>
      seen.every(
        ({ part, facts }) => part.length === (typeof facts(name) === 'string' && facts(name) !== '' ? 1 : 0),
      ),
    )
    const text = mergeAny(all, merging)
    if (of !== undefined && text !== undefined) return addBlock(key, { of, text: before + text }, merging)
    const isUsual = all.length * 2 > seen.length
    return isUsual && text !== undefined ? before + text : ''
  }
  const texts = new Set(seen.map(({ part }) => part.map(textOfPart).join(separator)))
  return texts.size === 1 ? before + [...texts].join('') : undefined
}

// Lists are not within their items.
function ofItem(item: Facts, facts: Facts): Facts {
  return joined(item, (name) => (LISTS.includes(name) ? undefined : facts(name)))
}

const NAMING = ['key', 'number', 'prefix', 'basename', 'folder']

// Of single elements in one another, the inner one is the item.
function isAround(seen: readonly Seen<readonly Part[]>[]): boolean {
  return seen.every(({ part }) => {
    const [only] = part
    if (part.length > 1) return false
    if (only === undefined || typeof only === 'string') return true
    return only.parts.length === 1 && typeof only.parts[0] !== 'string'
  })
}

// Each part names one of the items, by what it says somewhere.
function itemsOf(parts: readonly Part[], items: ReturnType<Facts>): readonly Facts[] | undefined {
  if (!Array.isArray(items)) return undefined
  const found: Facts[] = []
  for (const part of parts) {
    const texts = leavesOf(part)
    const [item, ...others] = (items as readonly Facts[]).filter((each) =>
      NAMING.some((name) => texts.has(String(each(name)))),
    )
    if (item === undefined || others.length > 0 || found.includes(item)) return undefined
    found.push(item)
  }
  return found
}

function mergeAny(seen: readonly Seen<Part>[], merging: Merging): string | undefined {
  const elements = seen.filter((each): each is Seen<Element> => typeof each.part !== 'string')
  if (elements.length === seen.length) return mergeElements(elements, merging)
  const texts = seen.map(({ part, facts }) => ({ text: textOfPart(part), facts }))
  return templateOf(texts, { names: merging.names, place: '' })
}

function addBlock(key: string, block: RepeatedText, { each, names }: Merging): string {
  const wanted = /^[A-Za-z_]\w*$/.test(key) ? key : 'items'
  let name = names.includes(wanted) ? `_${wanted}` : wanted
  while (Object.hasOwn(each, name)) name = `_${name}`
  const { separator = '', ...plainBlock } = block
  each[name] = separator === '' ? plainBlock : { ...plainBlock, separator }
  return `{${name}}`
}

function partKey(part: Part): string {
  return typeof part === 'string' ? '' : part.name
}

// Items of a list have no names: those of their members say what they are.
function itemKey(part: Part): string {
  return typeof part === 'string' || part.open !== '{' ? '' : part.parts.map(partKey).join()
}

// As they came, those that not all have after what they followed.
function orderOf(lists: readonly (readonly string[])[]): readonly string[] {
  const order: string[] = []
  for (const keys of lists.toSorted((a, b) => b.length - a.length)) {
    let at = 0
    for (const key of keys) {
      const known = order.indexOf(key)
      if (known < 0) order.splice(at, 0, key)
      at = (known < 0 ? at : known) + 1
    }
  }
  return [...countEach(order).keys()]
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#34': '"',
  '#39': "'",
}

// Facts are found in what a text says, and written as the body writes them.
function plain(text: string, { isXml }: Merging): string {
  if (!isXml) return text
  return text.replace(/&(amp|lt|gt|quot|apos|#34|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

function written(template: string, { isXml, quote }: Merging): string {
  if (!isXml) return template
  return template.replace(/[&<>]/g, (sign) => WRITTEN[sign] ?? sign).replaceAll('"', quote)
}

const WRITTEN: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
