import { follow, isJson, textOf, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'

/** A list of a description whose items have paths of their own, as names alone show it. */
export interface Collection {
  /** Such as `/shops/{shop}/orders`, and the name of the last parameter of its items. */
  readonly path: string
  readonly parameter: string
  readonly list: Operation
  readonly item: Operation
  readonly create: Operation | undefined
  readonly change: Operation | undefined
  readonly remove: Operation | undefined
  /** The property of the answer that holds the list; `undefined` where the answer is the list. */
  readonly field: string | undefined
  /** The property of items that their paths name. */
  readonly idField: string
  /** The schemas of the properties that items have in the list. */
  readonly properties: Json
  /** What servers set whatever is sent: read-only properties, and those that say of which schema an item is. */
  readonly serverSet: ReadonlySet<string>
  readonly examples?: Examples
  readonly elsewhere?: Elsewhere
}

/** What the examples of a description say of a collection's items. */
export interface Examples {
  /** How the examples of the list and of an item contradict each other, by the ids of the items that both show. */
  readonly contradictions: ReadonlyMap<string, string>
  /** The items that they show, in lists or by themselves. */
  readonly items: readonly Json[]
}

/** Other paths that show the items of a collection. */
export interface Elsewhere {
  /** Those of one item that another of its properties names. */
  readonly lookups: readonly Lookup[]
  /** Those of the items below all parents. */
  readonly whole: Whole | undefined
}

/** A path such as `/users/by-email/{email}`. */
export interface Lookup {
  readonly operation: Operation
  readonly property: string
}

/** A list such as `/comments` beside `/posts/{id}/comments`, and the property of its items that names the parent. */
export interface Whole {
  readonly operation: Operation
  readonly field: string | undefined
  readonly parent: string
}

/** The collections of a document, by their paths. */
export function collectionsOf(document: Json, operations: readonly Operation[]): Collection[] {
  const find = (method: string, path: string): Operation | undefined =>
    operations.find((each) => each.method === method && each.path === path)
  return operations.flatMap((list): Collection[] => {
    if (list.method !== 'GET' || list.path.endsWith('}')) return []
    const item = operations.find(
      ({ method, path }) =>
        method === 'GET' &&
        path.startsWith(`${list.path}/{`) &&
        isParameter(path.slice(list.path.length + 1)),
    )
    const parameter = item && /\{([^{}]+)\}$/.exec(item.path)?.[1]
    const listed = listIn(document, answerOf(list))
    if (item === undefined || parameter === undefined || listed === undefined) return []
    const shown = propertiesOf(document, answerOf(item))
    const idField = idFieldOf(parameter, list.path, listed.properties)
    // An item that is wrapped in another object, or has no id there, is another's concern.
    if (idField === undefined || !(idField in shown)) return []
    return [
      {
        ...{ path: list.path, parameter, list, item, idField, ...listed },
        create: find('POST', list.path),
        change: find('PATCH', item.path) ?? find('PUT', item.path),
        remove: find('DELETE', item.path),
        serverSet: serverSetOf(document, answerOf(item)),
      },
    ]
  })
}

function isParameter(segment: string): boolean {
  return /^\{[^{}/]+\}$/.test(segment)
}

/** The JSON schema of an operation's success. */
export function answerOf({ responses }: Operation): unknown {
  const status = [...responses.keys()].filter((each) => each.startsWith('2')).toSorted()[0] ?? 'default'
  const content = responses.get(status)
  return [...(content ?? [])].find(([type]) => /[/+]json|^\*\/\*$/.test(type))?.[1]
}

/** All properties that a schema names, by `allOf` and references too. */
export function propertiesOf(document: Json, schema: unknown, depth = 0): Json {
  const found = follow(document, schema)
  const parts = Array.isArray(found['allOf']) ? found['allOf'] : []
  const own = isJson(found['properties']) ? found['properties'] : {}
  return depth > 5
    ? own
    : Object.assign({}, ...parts.map((part) => propertiesOf(document, part, depth + 1)), own)
}

function serverSetOf(document: Json, schema: unknown): ReadonlySet<string> {
  const names = Object.entries(propertiesOf(document, schema)).flatMap(([name, part]) =>
    follow(document, part)['readOnly'] === true || (isJson(part) && part['readOnly'] === true) ? [name] : [],
  )
  return new Set([...names, ...discriminatorsOf(document, schema)])
}

function discriminatorsOf(document: Json, schema: unknown, depth = 0): readonly string[] {
  const found = follow(document, schema)
  const { discriminator, allOf } = found
  const name = isJson(discriminator) ? discriminator['propertyName'] : discriminator
  const parts = Array.isArray(allOf) && depth < 5 ? allOf : []
  return [
    ...(typeof name === 'string' ? [name] : []),
    ...parts.flatMap((part) => discriminatorsOf(document, part, depth + 1)),
  ]
}

/** The list of an answer, and what its items have. */
export function listIn(
  document: Json,
  schema: unknown,
): Pick<Collection, 'field' | 'properties'> | undefined {
  const found = follow(document, schema)
  const itemsOf = (list: Json): Json => propertiesOf(document, list['items'])
  if (found['type'] === 'array') return { field: undefined, properties: itemsOf(found) }
  const lists = Object.entries(propertiesOf(document, found)).flatMap(([name, part]) => {
    const list = follow(document, part)
    return list['type'] === 'array' && Object.keys(itemsOf(list)).length > 0
      ? [{ field: name, properties: itemsOf(list) }]
      : []
  })
  return lists.length === 1 ? lists[0] : undefined
}

/** A name without the signs and capitals that it may be written with. */
export const plain = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

function idFieldOf(parameter: string, path: string, properties: Json): string | undefined {
  const names = Object.keys(properties)
  const singular = plain(path.split('/').at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
  const wanted = [plain(parameter), plain(parameter).replace(singular, ''), 'id']
  const own = names.find((name) => plain(name) === wanted[0])
  if (own !== undefined) return own
  // What is called `petId` in a path is the `id` of a pet; anything else would be a guess.
  return /id$/i.test(parameter) ? names.find((name) => wanted.includes(plain(name))) : undefined
}

/** A scalar property as a path or a query has it. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? textOf(value) : undefined
}
