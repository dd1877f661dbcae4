import { isMediaType } from '../../media-type.ts'
import { findMethodProblem } from '../../http/methods.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { remembered } from '../../engine/lazy.ts'
import { entryOf } from '../../grouping.ts'
import { FIELDS, KIND_NAMES, type Field, type Kind } from './grammar.ts'
import { isElsewhere, referenceOf, type Library } from './library.ts'
import { childOf, entriesOf, itemsOf, pointerOf, textAt, type Node } from './node.ts'
import { isFormQuery, WHOLE_QUERY } from './whole-query.ts'
import type { Problem } from './problem.ts'
import { findCircles, type Composition, createCompositions } from './compositions.ts'
import { KEYWORDS } from './schema-keywords.ts'

/** Something that is described and not simulated. */
export interface Unused {
  readonly kind:
    | ('link' | 'callback' | 'webhook' | 'operation' | 'external example' | 'security scheme')
    | ('collection format' | 'querystring' | 'positional encoding' | 'dynamic reference')
  readonly name: string
}

/** What going through a description once found. */
export interface Checked {
  readonly problems: readonly Problem[]
  /** Schemas whose reference leads nowhere, or back to what they are part of; they stand for anything. */
  readonly broken: ReadonlySet<unknown>
  /** The schemas that extend a schema by their `allOf`, by what they extend. */
  readonly children: ReadonlyMap<unknown, readonly Node[]>
  /** What is described and not simulated. */
  readonly unused: readonly Unused[]
}

/** Goes through a whole description once: each reference, each schema, and each part's form. Linear. */
export function checkDescription(library: Library): Checked {
  const problems: Problem[] = []
  const broken = new Set<unknown>()
  const children = new Map<unknown, Node[]>()
  const compositions: Composition[] = []
  const compositionsOf = createCompositions(library)
  const unused: Unused[] = []
  const seen = new Map<Kind, Set<unknown>>()
  const waiting: (readonly [Node, Kind])[] = [[library.root, 'document']]
  const report = (node: Node, message: string): void => void problems.push({ node, message })

  const walk = (node: Node, kind: Kind): void => {
    const { value } = node
    if (typeof value === 'boolean' && kind === 'schema') return
    if (!isObject(value)) return report(node, `must be ${KIND_NAMES[kind]}, not ${describe(value)}`)
    // A value that an alias repeats, or that references name, is looked at once for each kind.
    const alike = entryOf(seen, kind, () => new Set())
    if (alike.has(value)) return
    alike.add(value)
    const reference = referenceOf(node)
    if (reference !== undefined) walkReference(node, reference, kind)
    if (kind === 'schema') walkSchema(node, value)
    else if (reference === undefined || kind === 'pathItem') walkFields(node, kind)
  }
  const walkReference = (node: Node, reference: string, kind: Kind): void => {
    const target = library.find(reference, node.source)
    if (typeof target !== 'string') {
      if (kind !== 'schema') compositions.push({ node, key: node.value, parts: [target.value] })
      return void waiting.push([target, kind])
    }
    broken.add(node.value)
    report(node, `refers to ${asWritten(reference, node)}: ${target}`)
  }
  const walkFields = (node: Node, kind: Kind): void => {
    unused.push(...unusedOf(node, kind))
    const external = kind === 'example' ? textAt(node, 'externalValue') : undefined
    const read = external === undefined || isElsewhere(external) || library.textOf(external, node.source)
    if (typeof read === 'string') report(childOf(node, 'externalValue') ?? node, `${external}: ${read}`)
    if (kind === 'callback') {
      for (const part of entriesOf(node)) if (!isExtension(part.key)) waiting.push([part, 'pathItem'])
      return
    }
    for (const [name, field] of fieldsOf(kind)) {
      const part = childOf(node, name)
      if (part !== undefined) walkField(part, field)
    }
  }
  const walkField = (part: Node, { holds, kind }: Field): void => {
    if (holds === 'one') return void waiting.push([part, kind])
    const isRight = holds === 'list' ? Array.isArray(part.value) : isObject(part.value)
    if (!isRight) {
      const form = holds === 'list' ? 'a list' : 'an object with names as keys'
      return report(part, `must be ${form}, not ${describe(part.value)}`)
    }
    for (const each of holds === 'list' ? itemsOf(part) : entriesOf(part))
      if (kind === 'mediaType' && !isMediaType(each.key))
        report(each, 'its name is not a media type, such as application/json; it is passed over')
      else if (holds === 'list' || !isExtension(each.key) || kind === 'schema') waiting.push([each, kind])
  }
  const walkSchema = (node: Node, value: Record<string, unknown>): void => {
    const dynamic = textAt(node, '$dynamicRef')
    if (dynamic !== undefined) unused.push({ kind: 'dynamic reference', name: dynamic })
    for (const key of Object.keys(value)) {
      const keyword = KEYWORDS.get(key)
      if (keyword === undefined) continue
      const part = childOf(node, key)
      if (part === undefined) continue
      const wanted = keyword.check(part.value)
      if (wanted !== undefined) report(part, `must be ${wanted}, not ${describe(part.value)}`)
      else if (Array.isArray(part.value) && keyword.holds !== 'plain')
        for (const each of itemsOf(part)) waiting.push([each, 'schema'])
      else if (keyword.holds === 'one') waiting.push([part, 'schema'])
      else if (keyword.holds === 'named') for (const each of entriesOf(part)) waiting.push([each, 'schema'])
    }
    walkComposition(node)
  }
  const walkComposition = (node: Node): void => {
    for (const member of itemsOf(childOf(node, 'allOf'))) {
      const base = referenceOf(member) === undefined ? undefined : library.follow(member)
      if (typeof base === 'object') entryOf(children, base.value, () => []).push(node)
    }
    compositions.push(...compositionsOf(node))
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) walk(...next)
  for (const { node, text } of findCircles(compositions)) {
    broken.add(node.value)
    report(node, text)
  }
  return { problems, broken, children, unused }
}

const fieldsOf = remembered((kind: Kind) => Object.entries(FIELDS[kind] ?? {}))

// A reference of a converted description, as its text has it.
function asWritten(reference: string, { source }: Node): string {
  if (source.placeInText === undefined || !reference.startsWith('#/')) return reference
  return pointerOf(source.placeInText(reference.slice(2).split('/')))
}

function isExtension(name: string): boolean {
  return name.startsWith('x-')
}

/** A value as messages show it. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

/** What an object of a description holds that is not simulated. */
function unusedOf(node: Node, kind: Kind): readonly Unused[] {
  return FINDERS[kind]?.(node) ?? []
}

function namesAt(node: Node, field: string, kind: Unused['kind']): Unused[] {
  return entriesOf(childOf(node, field)).map(({ key }) => ({ kind, name: key }))
}

const FINDERS: Readonly<Partial<Record<Kind, (node: Node) => readonly Unused[]>>> = {
  document: (node) => [...namesAt(node, 'webhooks', 'webhook'), ...namesAt(node, 'x-webhooks', 'webhook')],
  operation: (node) => namesAt(node, 'callbacks', 'callback'),
  response: (node) => namesAt(node, 'links', 'link'),
  pathItem: (node) =>
    entriesOf(childOf(node, 'additionalOperations'))
      .filter(({ key }) => findMethodProblem(key) !== undefined)
      .map(({ key }) => ({ kind: 'operation', name: `${key} ${node.key}` })),
  example: (node) =>
    isElsewhere(textAt(node, 'externalValue') ?? '') ? [{ kind: 'external example', name: node.key }] : [],
  parameter: (node) => [
    ...collectionFormatOf(node, textAt(node, 'name') ?? node.key),
    ...querystringOf(node),
  ],
  mediaType: (node) =>
    ['prefixEncoding', 'itemEncoding']
      .filter((key) => childOf(node, key) !== undefined)
      .map((key) => ({ kind: 'positional encoding', name: `${key} of ${node.key}` })),
  encoding: (node) => collectionFormatOf(node, node.key),
  securityScheme: (node) => (isChecked(node) ? [] : [{ kind: 'security scheme', name: node.key }]),
}

// A whole query in another form, such as JSON.
function querystringOf(node: Node): readonly Unused[] {
  if (textAt(node, 'in') !== WHOLE_QUERY || isFormQuery(node)) return []
  const [content] = entriesOf(childOf(node, 'content'))
  return [
    { kind: 'querystring', name: `${textAt(node, 'name') ?? node.key} as ${content?.key ?? 'nothing'}` },
  ]
}

// Of Swagger 2.0, which the conversion keeps where OpenAPI 3 has no such style.
function collectionFormatOf(node: Node, name: string): readonly Unused[] {
  const format = textAt(node, 'x-collectionFormat')
  return format === undefined ? [] : [{ kind: 'collection format', name: `${format} of ${name}` }]
}

function isChecked(scheme: Node): boolean {
  const type = textAt(scheme, 'type')
  if (type === 'http') return /^(basic|bearer)$/i.test(textAt(scheme, 'scheme') ?? '')
  return type === 'apiKey' || type === 'oauth2' || type === 'openIdConnect'
}
