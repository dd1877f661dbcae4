import {
  type Collection,
  type Design,
  type Field,
  idNameOf,
  parentOf,
  randomOf,
  type Step,
  valueOf,
  written,
} from './design.ts'

// A client of a random server, as its documentation would have it written: it uses the ids, tags and pages that it got.

/** A request that was made, and its answer. */
export interface Exchange {
  /** Which step of the session it was, and what for: what is done to which collection. */
  readonly step: number
  readonly purpose: string
  /** What of the server it is a request to, such as `PUT one of users` or `call delete`. */
  readonly operation: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly type: string
  readonly text: string
}

type Json = Record<string, unknown>
const isJson = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What a client knows of the items at one path. */
interface Known {
  readonly ids: string[]
  readonly gone: string[]
  readonly tags: Map<string, string[]>
  /** Where the next page of the last list is. */
  next?: string | undefined
}

interface Request {
  readonly purpose: string
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** What is learned from what was answered. */
  learn?(answer: { readonly status: number; readonly body: unknown; readonly headers: Headers }): void
}

/**
 * Does the steps one after the other, and gives what was requested and answered.
 * @param isUsed whether requests to an operation are made at all
 */
export async function runSession(
  design: Design,
  base: string,
  steps: readonly Step[],
  isUsed: (operation: string) => boolean = () => true,
): Promise<readonly Exchange[]> {
  const known = new Map<string, Known>()
  const exchanges: Exchange[] = []
  const begin = design.collections.flatMap((_, which): Step[] => [{ does: 'list', which, what: 0 }])
  for (const [step, each] of [...begin, ...steps].entries()) {
    const request = requestOf(design, each, known)
    if (request === undefined) continue
    const { purpose, method, path, body, headers, learn } = request
    const operation = operationOf(design, each, request)
    if (!isUsed(operation)) continue
    const token =
      design.needsToken && each.does !== 'withoutToken' ? { authorization: 'Bearer tok_4f8a2b6c' } : {}
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...token, ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? ''
    exchanges.push({ step, purpose, operation, method, url: path, status: answer.status, type, text })
    if (answer.ok) learn?.({ status: answer.status, body: jsonOf(text), headers: answer.headers })
  }
  return exchanges
}

function operationOf(
  { collections, pathCase, suffix }: Design,
  { does, which }: Step,
  { purpose, method, path }: Request,
): string {
  if (does === 'call') return purpose.replace(' missing', '')
  const [, plural] = (collections[which % collections.length] as Collection).noun
  const [plain = ''] = path.split('?')
  const isAll = plain.endsWith(`/${written(plural, pathCase)}${suffix}`)
  return `${method} ${isAll ? 'all' : 'one'} of ${plural}`
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function requestOf(
  design: Design,
  { does, which, what }: Step,
  known: Map<string, Known>,
): Request | undefined {
  const { prefix, suffix, fieldCase, collections } = design
  const random = randomOf(what, which)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[what % Math.max(1, items.length)]
  const name = (words: string): string => written(words, fieldCase)
  if (does === 'call') return callOf(design, which, what, known)
  const at = which % collections.length
  const collection = collections[at] as Collection
  const path = pathOf(at)
  if (path === undefined) return undefined
  const whole = `${path}${suffix}`
  const own = knownAt(known, path)
  const purpose = (what: string): string => `${what} ${collection.noun[1]}`
  const itemPath = (id: string): string => `${path}/${encodeURIComponent(id)}${suffix}`

  function pathOf(place: number): string | undefined {
    const plural = written((collections[place] as Collection).noun[1], design.pathCase)
    const parent = parentOf(design, place)
    if (parent === undefined) return `${prefix}/${plural}`
    const above = pathOf(parent)
    const id = above === undefined ? undefined : pick(knownAt(known, above).ids)
    return id === undefined ? undefined : `${above}/${encodeURIComponent(id)}/${plural}`
  }
  const learnItem = ({ body, headers }: { readonly body: unknown; readonly headers: Headers }): void => {
    const id = idOf(design, collection, itemIn(design, collection, body))
    if (id === undefined) return
    if (!own.ids.includes(id)) own.ids.push(id)
    const tag = headers.get('etag')
    if (tag !== null) own.tags.set(id, [...(own.tags.get(id) ?? []).filter((each) => each !== tag), tag])
  }
  const listed = (what: string, query: Readonly<Record<string, string>>): Request => {
    const search = new URLSearchParams(query).toString()
    return {
      purpose: purpose(what),
      method: 'GET',
      path: search === '' ? whole : `${whole}?${search}`,
      learn: learnList,
    }
  }
  function learnList({ body, headers }: { readonly body: unknown; readonly headers: Headers }): void {
    const rows =
      (Array.isArray(body) ? body : isJson(body) ? Object.values(body).find(Array.isArray) : []) ?? []
    const ids = (rows as unknown[]).flatMap((row) => idOf(design, collection, row) ?? [])
    for (const id of ids) if (!own.ids.includes(id)) own.ids.push(id)
    own.next = nextOf(design, path as string, body, headers, ids)
  }
  const write = (fields: readonly Field[], id?: string): unknown =>
    bodyOf(
      design,
      collection,
      Object.fromEntries(fields.map((each) => [name(each.name), valueOf(each, random)])),
      id,
    )
  const newName = (): string | undefined =>
    collection.id === 'slug' ? `new-${Math.floor(random() * 1e5).toString(36)}` : undefined
  const required = collection.fields.filter(({ isRequired }) => isRequired)
  const some = collection.fields.filter(({ isRequired }) => isRequired || random() < 0.6)
  const { update } = design
  const known1 = pick(own.ids)

  switch (does) {
    case 'list':
      return listed('list', {})
    case 'filter': {
      const field = pick(collection.fields.filter(({ kind }) => kind === 'choice' || kind === 'boolean'))
      return (
        field && listed(`filter by ${field.name}`, { [name(field.name)]: String(valueOf(field, random)) })
      )
    }
    case 'sort': {
      const field = collection.isSorted
        ? pick(collection.fields.filter(({ kind }) => /word|integer|date|decimal/.test(kind)))
        : undefined
      return field && listed('sort', { sort: `${what % 2 === 0 ? '-' : ''}${name(field.name)}` })
    }
    case 'next':
      return own.next === undefined
        ? undefined
        : { purpose: purpose('next'), method: 'GET', path: own.next, learn: learnList }
    case 'read':
      return known1 === undefined
        ? undefined
        : { purpose: purpose('read'), method: 'GET', path: itemPath(known1), learn: learnItem }
    case 'readMissing':
      return { purpose: purpose('read missing'), method: 'GET', path: itemPath(missingId(collection, what)) }
    case 'create':
      return {
        purpose: purpose('create'),
        method: 'POST',
        path: whole,
        body: write(some, newName()),
        learn: learnItem,
      }
    case 'createWrong': {
      const left = pick(required)
      if (left === undefined) return undefined
      const body = write(
        some.filter((each) => each !== left),
        newName(),
      )
      return { purpose: purpose('create wrong'), method: 'POST', path: whole, body }
    }
    case 'createAgain':
      if (collection.id !== 'slug' || known1 === undefined) return undefined
      return { purpose: purpose('create again'), method: 'POST', path: whole, body: write(some, known1) }
    case 'update':
    case 'updateMissing': {
      const id = does === 'update' ? known1 : missingId(collection, what)
      if (id === undefined) return undefined
      const fields = update === 'PUT' ? some : [pick(collection.fields) as Field]
      return {
        purpose: purpose(does),
        method: update,
        path: itemPath(id),
        body: write(fields, does === 'update' ? id : undefined),
        learn: learnItem,
      }
    }
    case 'delete': {
      if (known1 === undefined) return undefined
      const learn = (): void => {
        own.ids.splice(own.ids.indexOf(known1), 1)
        own.gone.push(known1)
      }
      return { purpose: purpose('delete'), method: 'DELETE', path: itemPath(known1), learn }
    }
    case 'readDeleted': {
      const id = pick(own.gone)
      const method = what % 3 === 0 ? 'DELETE' : 'GET'
      return id === undefined
        ? undefined
        : { purpose: purpose(`${method} deleted`), method, path: itemPath(id) }
    }
    case 'readIfChanged': {
      const [id, tags = []] = pick([...own.tags].filter(([each]) => own.ids.includes(each))) ?? []
      if (id === undefined) return undefined
      return {
        purpose: purpose(does),
        method: 'GET',
        path: itemPath(id),
        headers: { 'if-none-match': tags.at(-1) as string },
      }
    }
    case 'updateIfSame': {
      const [id, tags = []] = pick([...own.tags].filter(([each]) => own.ids.includes(each))) ?? []
      if (id === undefined) return undefined
      const body = write(update === 'PUT' ? some : [pick(collection.fields) as Field], id)
      return {
        purpose: purpose(does),
        method: update,
        path: itemPath(id),
        body,
        headers: { 'if-match': pick(tags) as string },
        learn: learnItem,
      }
    }
    default:
      return design.needsToken ? listed('list without token', {}) : undefined
  }
}

function knownAt(known: Map<string, Known>, path: string): Known {
  const own = known.get(path) ?? { ids: [], gone: [], tags: new Map() }
  known.set(path, own)
  return own
}

function missingId({ id }: Collection, what: number): string {
  const hex = (what * 7919 + 4096).toString(16).padStart(12, '0')
  if (id === 'integer') return String(900_000 + (what % 90_000))
  if (id === 'uuid') return `0f1e2d3c-4b5a-4c6d-8e7f-${hex}`
  if (id === 'prefixed') return `ob_00${hex}`
  return id === 'hex' ? `0000000000aa${hex}` : `none-${hex.slice(-6)}`
}

function itemIn({ single, fieldCase }: Design, { noun }: Collection, body: unknown): unknown {
  if (!isJson(body)) return undefined
  if (single === 'data') return body['data']
  return single === 'named' ? body[written(noun[0], fieldCase)] : body
}

function idOf(design: Design, collection: Collection, item: unknown): string | undefined {
  if (!isJson(item)) return undefined
  const place = design.single === 'kind' ? item['metadata'] : item
  if (!isJson(place)) return undefined
  const name = collection.id === 'slug' ? 'name' : 'uid'
  const id = place[design.single === 'kind' ? name : idNameOf(collection, design)]
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

function bodyOf(design: Design, collection: Collection, values: Json, id: string | undefined): unknown {
  const { single, fieldCase } = design
  const isNamed = collection.id === 'slug' && id !== undefined
  if (single === 'kind')
    return {
      kind: written(collection.noun[0], 'pascal'),
      metadata: isNamed ? { name: id } : {},
      spec: values,
    }
  const all = isNamed ? { [idNameOf(collection, design)]: id, ...values } : values
  if (single === 'data') return { data: all }
  return single === 'named' ? { [written(collection.noun[0], fieldCase)]: all } : all
}

function nextOf(
  design: Design,
  path: string,
  body: unknown,
  headers: Headers,
  ids: readonly string[],
): string | undefined {
  const { paging, fieldCase, suffix, pageSize } = design
  const name = (words: string): string => written(words, fieldCase)
  const [link] = /[^<]+(?=>; rel="next")/.exec(headers.get('link') ?? '') ?? []
  if (paging === 'link')
    return link && new URL(link, 'http://any').pathname + new URL(link, 'http://any').search
  if (ids.length < pageSize || paging === 'none') return undefined
  const deep = (key: string): unknown => {
    if (!isJson(body)) return undefined
    const inside = Object.values(body).find((each) => isJson(each) && key in each)
    return body[key] ?? (inside as Json | undefined)?.[key]
  }
  const at = (query: Json): string =>
    `${path}${suffix}?${new URLSearchParams(query as Record<string, string>).toString()}`
  if (paging === 'page')
    return at({
      page: String(Number(deep('page') ?? 1) + 1),
      ...(pageSize % 2 === 0 && { [name('per page')]: String(pageSize) }),
    })
  if (paging === 'offset')
    return at({ offset: String(Number(deep('offset') ?? 0) + pageSize), limit: String(pageSize) })
  if (paging === 'after') return at({ [name('starting after')]: ids.at(-1), limit: String(pageSize) })
  const token = deep(name('next page token')) ?? headers.get('x-next-page-token')
  return typeof token === 'string' && token !== '' ? at({ [name('page token')]: token }) : undefined
}

const VERBS = ['list', 'get', 'get', 'get missing', 'create', 'create', 'delete'] as const

function callOf(design: Design, which: number, what: number, known: Map<string, Known>): Request | undefined {
  const { calls, prefix, fieldCase } = design
  if (calls === 'none') return undefined
  const collection = design.collections[0] as Collection
  const [singular, plural] = collection.noun
  const own = knownAt(known, 'called')
  const verb = VERBS[which % VERBS.length] as (typeof VERBS)[number]
  const random = randomOf(what, which)
  const name = (words: string): string => written(words, fieldCase)
  const id =
    verb === 'get missing' ? missingId(collection, what) : own.ids[what % Math.max(1, own.ids.length)]
  if (id === undefined && (verb === 'get' || verb === 'delete')) return undefined
  const values = Object.fromEntries(collection.fields.map((each) => [name(each.name), valueOf(each, random)]))
  const slug = `new-${Math.floor(random() * 1e5).toString(36)}`
  const given: Json =
    verb === 'list' ? {} : verb === 'create' ? (bodyOf(design, collection, values, slug) as Json) : { id }
  const [plain] = verb.split(' ') as [string]
  const learn: Request['learn'] = ({ body }) => {
    const result = isJson(body) && isJson(body['result']) ? body['result'] : body
    if (!isJson(result)) return
    const made = [result[name(plural)] ?? result[name(singular)]].flat()
    for (const each of made.flatMap((item) => idOf(design, collection, item) ?? []))
      if (!own.ids.includes(each)) own.ids.push(each)
    if (verb === 'delete' && result['ok'] !== false) own.ids.splice(own.ids.indexOf(String(id)), 1)
  }
  const call = { purpose: `call ${verb}`, method: 'POST', learn }
  const operation = `${plain}${written(plain === 'list' ? plural : singular, 'pascal')}`
  if (calls === 'jsonrpc') {
    const body = { jsonrpc: '2.0', id: what, method: `${written(singular, 'camel')}.${plain}`, params: given }
    return { ...call, path: `${prefix}/rpc`, body }
  }
  if (calls === 'header')
    return {
      ...call,
      path: `${prefix}/invoke`,
      body: given,
      headers: { 'x-operation': `Service.${operation}` },
    }
  if (calls === 'query') return { ...call, path: `${prefix}/call?action=${operation}`, body: given }
  return { ...call, path: `${prefix}/call/${written(plural, 'camel')}.${plain}`, body: given }
}
