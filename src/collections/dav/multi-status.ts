import { STATUS_CODES } from 'node:http'
import type { FileTree } from '../../engine/file-option.ts'
import { entryOf } from '../../grouping.ts'
import { elementsIn, escapeXml, type Prefixes, writtenName, type XmlElement } from '../../shape/xml-tree.ts'
import { type Facts, fill } from '../files/file-facts.ts'
import { factsOfResource, type Resource, type Tree } from './resource-tree.ts'

const DAV = 'DAV:'
/** A name in the namespace of WebDAV. */
export function dav(name: string): string {
  return `{${DAV}}${name}`
}

/** What a collection was at some time (RFC 6578). */
export const TOKEN = dav('sync-token')

/** Which properties a request asks for: those named; all, or only their names, where it names none. */
export interface RequestedProperties {
  readonly names: readonly string[] | undefined
  readonly isOfNames: boolean
}

/** What a body asks for (RFC 4918, section 14.20). */
export function requestedIn(root: XmlElement | undefined): RequestedProperties {
  const [prop] = elementsIn(root, dav('prop'))
  return {
    names: prop && elementsIn(prop).map(({ name }) => name),
    isOfNames: elementsIn(root, dav('propname')).length > 0,
  }
}

/** A resource in an answer: its properties by their statuses, or a status of its own. */
export interface ResponseItem {
  readonly href: string
  readonly status?: number
  readonly properties?: readonly PropertyAnswer[]
}

export interface PropertyAnswer {
  readonly name: string
  readonly status: number
  /** As XML. */
  readonly value: string
}

/** The address of a resource, by its path below that of the tree. */
export function hrefOf(
  path: string,
  { key, isFolder }: Pick<Resource, 'key' | 'isFolder'>,
  base = '',
): string {
  const whole = key === '' ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`
  const address = `${path === '/' ? '' : path}${whole}`
  return `${base}${address}${isFolder ? '/' : ''}`
}

/** What a resource answers of what is requested for. @param path that of the tree */
export function propertiesOf(
  tree: Tree,
  options: FileTree,
  resource: Resource,
  { requested, path }: { readonly requested: RequestedProperties; readonly path: string },
): ResponseItem {
  const href = hrefOf(path, resource, options.base)
  const facts = factsOfResource(tree, resource, hrefOf(path, resource))
  const own = resource.file.properties ?? {}
  const names = requested.names ?? [...new Set([...(options.all ?? DEFAULT_NAMES), ...Object.keys(own)])]
  const properties = names.flatMap((name): PropertyAnswer[] => {
    const value = valueOf(name, own, options, resource, facts)
    if (value === undefined) {
      const isLeftOut = requested.names === undefined || options.omits === true
      return isLeftOut ? [] : [{ name, status: 404, value: '' }]
    }
    if (name === TOKEN) tree.note(value.replaceAll('&amp;', '&'), resource.key)
    return [{ name, status: 200, value: requested.isOfNames ? '' : value }]
  })
  return { href, properties }
}

function valueOf(
  name: string,
  own: Readonly<Record<string, string>>,
  { properties = DEFAULT_PROPERTIES }: FileTree,
  { kinds }: Resource,
  facts: Facts,
): string | undefined {
  if (Object.hasOwn(own, name)) return own[name]
  const byKind = Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}
  const kind = kinds.find((each) => Object.hasOwn(byKind, each))
  const template = kind === undefined ? undefined : byKind[kind]
  return template == null ? undefined : fill(template, facts, escapeXml)
}

const DEFAULT_PROPERTIES: NonNullable<FileTree['properties']> = {
  [dav('resourcetype')]: { '*': '', collection: '<collection xmlns="DAV:"/>' },
  [dav('getetag')]: { '*': '{etag}' },
  [dav('getcontentlength')]: { '*': '{size}' },
  [dav('getcontenttype')]: { '*': '{type}' },
  [dav('getlastmodified')]: { '*': '{modified.http}', collection: '{modified.http}' },
  [dav('displayname')]: { '*': '{basename}', collection: '{basename}' },
}
const DEFAULT_NAMES = Object.keys(DEFAULT_PROPERTIES)

/** A multi-status answer (RFC 4918, section 13). @param more elements of it besides, as XML */
export function writeMultiStatus(
  items: readonly ResponseItem[],
  prefixes: Prefixes = DEFAULT_PREFIXES,
  more: readonly (readonly [name: string, text: string])[] = [],
): string {
  const element = elementWriter(prefixes)
  const responses = items.map(({ href, status, properties = [] }) => {
    // What has nothing to say is there all the same.
    const empty = element(dav('propstat'), element(dav('prop'), '') + statusOf(200, element))
    const content =
      status === undefined ? propertiesByStatus(properties, element) || empty : statusOf(status, element)
    return element(dav('response'), element(dav('href'), escapeXml(href)) + content)
  })
  const content = responses.join('') + more.map(([name, text]) => element(name, escapeXml(text))).join('')
  return documentOf(dav('multistatus'), content, prefixes)
}

/** What became of properties, where that is all of an answer (RFC 5689, section 5.2). @param root its name */
export function writePropertyResponse(
  root: string,
  properties: readonly PropertyAnswer[],
  prefixes: Prefixes = DEFAULT_PREFIXES,
): string {
  return documentOf(root, propertiesByStatus(properties, elementWriter(prefixes)), prefixes)
}

const DEFAULT_PREFIXES: Prefixes = { [DAV]: '' }

type ElementWriter = (name: string, content: string) => string

function elementWriter(prefixes: Prefixes): ElementWriter {
  return (name, content) => {
    const { tag, declaration } = writtenName(name, prefixes)
    return content === '' ? `<${tag}${declaration}/>` : `<${tag}${declaration}>${content}</${tag}>`
  }
}

function statusOf(code: number, element: ElementWriter): string {
  return element(dav('status'), `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}`.trim())
}

function propertiesByStatus(properties: readonly PropertyAnswer[], element: ElementWriter): string {
  const byStatus = new Map<number, string[]>()
  for (const { name, status, value } of properties)
    entryOf(byStatus, status, () => []).push(element(name, value))
  const parts = [...byStatus].map(([code, values]) =>
    element(dav('propstat'), element(dav('prop'), values.join('')) + statusOf(code, element)),
  )
  return parts.join('')
}

function documentOf(root: string, content: string, prefixes: Prefixes): string {
  const declared = Object.entries(prefixes).map(
    ([namespace, prefix]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeXml(namespace)}"`,
  )
  const { tag, declaration } = writtenName(root, prefixes)
  return `<?xml version="1.0" encoding="utf-8"?>\n<${tag}${declared.join('')}${declaration}>${content}</${tag}>`
}
