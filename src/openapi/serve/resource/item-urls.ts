import { idText } from '../../../collections/item-operations.ts'
import { plainName } from '../../../collections/paging/page-parameters.ts'
import { lazy } from '../../../engine/lazy.ts'
import { textOf } from '../../../engine/schema/keywords.ts'
import { createFold } from '../../../engine/schema/merge.ts'
import { createResolver, isObject, type Entries } from '../../../engine/schema/schema.ts'
import { segmentsOf } from '../../../routing/path-template.ts'
import type { Item } from '../../../state/store.ts'
import { NO_ADDRESS } from '../own-urls.ts'
import { markedFields } from './item-model.ts'
import type { ItemShape } from './item-shape.ts'
import type { Resource } from './resource.ts'
import { pathOf } from './virtual-collection.ts'

/** Has URLs that an item holds name it, and the items above it. What is known of the item stays. */
export type NameUrls = (
  item: Entries,
  values: readonly string[],
  id: unknown,
  known: Item | undefined,
) => void

/** How deep in an item its URLs are. */
const MAX_DEPTH = 3

/** Names of fields that hold an item's own URL, whatever a description shows there. */
const SELF = /^(self|selflink|selfurl|selfuri|selfhref|(links)?self(href)?)$/

const LINK = /^linksself(href)?$/

/** Names of fields that hold it where the server alone sets them, and nothing else is shown there. */
const OWN = /^(url|uri|href|resource(url|uri))$/

/**
 * How the URLs of a resource's items follow from their ids: `https://api.example.com/pets/1/toys`, where the
 * description shows that of a pet, becomes that of each pet, as does what is called `self`.
 */
export function createItemUrls({ template, parameter, parents, read, list, shape }: Resource): NameUrls {
  const origins = (read ?? list)?.route.operation?.origins ?? []
  const segments = segmentsOf(`${template === '/' ? '' : template}/{${parameter}}`)
  const origin = origins[0] ?? NO_ADDRESS
  const set = lazy(() => serverSetOf(shape))
  const located = { template, parents, host: '' }
  const named = (url: string, known: ReadonlyMap<string, string>): string | undefined => {
    const own = origins.find((each) => url.toLowerCase().startsWith(`${each}/`))
    if (own === undefined) return undefined
    const written = url.slice(own.length + 1).split('/')
    const end = written.findIndex((segment, index) => !isAlike(segments[index], segment))
    const shared = segments.slice(0, end < 0 ? written.length : end)
    const last = shared.findLastIndex((segment) => segment.startsWith('{'))
    const given = shared.slice(0, last + 1).map((segment) => known.get(segment) ?? segment)
    return last < 0 ? undefined : [own, ...given, ...written.slice(last + 1)].join('/')
  }

  return (item, values, id, known) => {
    const texts = lazy(
      () =>
        new Map([
          ...parents.map((name, index) => [`{${name}}`, encodeURIComponent(values[index] ?? '')] as const),
          [`{${parameter}}`, encodeURIComponent(idText(id))],
        ]),
    )
    const own = (): string => origin + `${pathOf(located, values)}/${encodeURIComponent(idText(id))}`
    const walk = (value: unknown, path: readonly string[]): unknown => {
      if (typeof value === 'string') {
        const isUrl = /^https?:\/\//i.test(value)
        // A link is one, also where its description says no more than that it is a text.
        if (!isUrl) return LINK.test(plainName(path.join(''))) && !/[/:]/.test(value) ? own() : value
        const isOwn = SELF.test(plainName(path.join(''))) || (path.length === 1 && set().has(path[0] ?? ''))
        return isOwn ? own() : (named(value, texts()) ?? value)
      }
      if (path.length >= MAX_DEPTH || !isObject(value)) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, walk(each, [...path, name])]),
      )
    }
    for (const [name, value] of Object.entries(item))
      if (known === undefined || !Object.hasOwn(known, name)) item[name] = walk(value, [name])
  }
}

function serverSetOf({ item, fields, modelOf }: ItemShape): ReadonlySet<string> {
  const readOnly = markedFields(fields, 'readOnly', createFold(createResolver(item)))
  const isPlain = (name: string): boolean => {
    const model = modelOf(name)
    return /^(uri|url|iri)$/.test(textOf(model, 'format') ?? '') && model['examples'] === undefined
  }
  return new Set([...readOnly].filter((name) => OWN.test(plainName(name)) && isPlain(name)))
}

function isAlike(template: string | undefined, segment: string): boolean {
  if (template === undefined) return false
  return template.startsWith('{') && template.endsWith('}') ? !segment.startsWith('{') : template === segment
}
