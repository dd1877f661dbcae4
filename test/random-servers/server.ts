import { createServer, type IncomingMessage } from 'node:http'
import {
  type Collection,
  type Design,
  type Field,
  idNameOf,
  parentOf,
  randomOf,
  valueOf,
  written,
} from './design.ts'
import { failure, Refused, type Outcome } from './refused.ts'

// A server as a design says it, in memory. It knows nothing of how sim infers.

type Json = Record<string, unknown>

interface Stored {
  readonly id: string | number
  readonly values: Json
  readonly created: number
  changed: number
  version: number
}

interface Received {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

const isJson = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** @param run what the server makes up follows from it; what it holds from the start does not */
export function createRandomServer(design: Design, run: number): ReturnType<typeof createServer> {
  const answer = answerer(design, run)
  return createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
      const { method = 'GET', headers } = request
      const {
        status,
        body,
        type = 'application/json',
        headers: more,
      } = answer({ method, url, headers, body: parse(text) })
      const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      response.writeHead(status, { ...(sent !== undefined && { 'content-type': type }), ...more }).end(sent)
    })
  })
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

function answerer(design: Design, run: number): (received: Received) => Outcome {
  const random = randomOf(design.seed, run, 7)
  const stores = new Map<string, Map<string, Stored>>()
  const begun = Date.UTC(2025, 2, 1 + (run % 300), 9)
  let now = begun
  const name = (words: string): string => written(words, design.fieldCase)

  const newId = (
    kind: Collection['id'],
    items: ReadonlyMap<string, Stored>,
    from: () => number,
  ): string | number => {
    const hex = (length: number): string =>
      Array.from({ length }, () => Math.floor(from() * 16).toString(16)).join('')
    if (kind === 'integer') return 1 + Math.max(0, ...[...items.values()].map(({ id }) => Number(id)))
    if (kind === 'uuid') return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
    if (kind === 'prefixed') return `ob_${hex(14)}`
    return kind === 'hex' ? hex(24) : `item-${hex(4)}`
  }
  const storeOf = (at: number, place: string, isNew = false): Map<string, Stored> => {
    const known = stores.get(place)
    if (known !== undefined) return known
    const items = new Map<string, Stored>()
    stores.set(place, items)
    // Nothing is below what clients made.
    if (isNew) return items
    const { size, id, fields } = design.collections[at] as Collection
    const own = randomOf(design.seed, at, ...Buffer.from(place))
    // As its clients leave out what they need not send.
    const isLeftOut = ({ isRequired }: Field): boolean => !isRequired && own() < 0.5
    for (let count = 0; count < size; count++) {
      const key = newId(id, items, own)
      const values = Object.fromEntries(
        fields.map((field) => [name(field.name), isLeftOut(field) ? null : valueOf(field, own)]),
      )
      const created = Date.UTC(2024, count % 12, 3, 8, count)
      items.set(String(key), { id: key, values, created, changed: created, version: 1 })
    }
    return items
  }

  const stampOf = (moment: number): unknown =>
    design.stamps === 'epoch' ? Math.floor(moment / 1000) : new Date(moment).toISOString()
  const shown = (at: number, { id, values, created, changed, version }: Stored): Json => {
    const collection = design.collections[at] as Collection
    const [singular] = collection.noun
    const stamps =
      design.stamps === 'none'
        ? {}
        : { [name('created at')]: stampOf(created), [name('updated at')]: stampOf(changed) }
    if (design.single === 'kind') {
      const own =
        collection.id === 'slug' ? { name: id } : { name: `${written(singular, 'kebab')}-${id}`, uid: id }
      const metadata = { ...own, resourceVersion: String(version), ...stamps }
      return { kind: written(singular, 'pascal'), apiVersion: 'v1', metadata, spec: values }
    }
    const type = design.single === 'object' ? { object: written(singular, 'snake') } : {}
    return { [idNameOf(collection, design)]: id, ...type, ...values, ...stamps }
  }
  const single = (at: number, item: Stored): unknown => {
    const [singular] = (design.collections[at] as Collection).noun
    if (design.single === 'data') return { data: shown(at, item) }
    return design.single === 'named' ? { [name(singular)]: shown(at, item) } : shown(at, item)
  }
  const etagOf = ({ id, version }: Stored): Record<string, string> => {
    if (design.etags === 'none') return {}
    const tag = `"${Buffer.from(`${id}:${version}`).toString('hex').slice(-16)}"`
    return { etag: design.etags === 'weak' ? `W/${tag}` : tag }
  }

  const valuesIn = (at: number, body: unknown, isWhole: boolean): Json => {
    const { noun, fields } = design.collections[at] as Collection
    const below = { named: name(noun[0]), kind: 'spec', data: 'data' }[design.single as 'named']
    const given = isJson(body) && below !== undefined ? body[below] : body
    if (!isJson(given)) throw new Refused(400, 'invalid_request', 'The request has no usable body')
    for (const field of fields) {
      const key = name(field.name)
      if (isWhole && field.isRequired && given[key] === undefined)
        throw new Refused(422, 'missing_field', `${key} is required`, key)
    }
    const known = fields.map((field) => name(field.name)).filter((key) => given[key] !== undefined)
    return Object.fromEntries(known.map((key) => [key, given[key]]))
  }
  const idIn = (at: number, body: unknown): unknown => {
    const collection = design.collections[at] as Collection
    if (collection.id !== 'slug' || !isJson(body)) return undefined
    const given =
      design.single === 'kind' ? body['metadata'] : (body[name(collection.noun[0])] ?? body['data'] ?? body)
    return isJson(given) ? given[design.single === 'kind' ? 'name' : idNameOf(collection, design)] : undefined
  }

  const create = (at: number, items: Map<string, Stored>, body: unknown): Stored => {
    const { id: kind, fields, noun } = design.collections[at] as Collection
    const given = valuesIn(at, body, true)
    const values = Object.fromEntries(
      fields.map(({ name: words }) => [name(words), given[name(words)] ?? null]),
    )
    const id = kind === 'slug' ? idIn(at, body) : newId(kind, items, random)
    if (typeof id !== 'string' && typeof id !== 'number')
      throw new Refused(422, 'missing_field', 'a name is required', 'name')
    if (items.has(String(id))) throw new Refused(409, 'already_exists', `${noun[0]} "${id}" already exists`)
    const item = { id, values, created: now, changed: now, version: 1 }
    items.set(String(id), item)
    return item
  }
  const found = (at: number, items: ReadonlyMap<string, Stored>, id: string): Stored => {
    const item = items.get(id)
    const [singular] = (design.collections[at] as Collection).noun
    if (item === undefined) throw new Refused(404, 'not_found', `No such ${singular}: '${id}'`)
    return item
  }

  const chosen = (at: number, items: ReadonlyMap<string, Stored>, query: URLSearchParams): Stored[] => {
    const { fields, isSorted } = design.collections[at] as Collection
    const keys = fields.map((field) => name(field.name))
    const kept = [...items.values()].filter(({ values }) =>
      keys.every((key) => !query.has(key) || String(values[key]) === query.get(key)),
    )
    const sort = query.get('sort') ?? ''
    const key = sort.replace(/^-/, '')
    if (!isSorted || !keys.includes(key)) return kept
    const turn = sort.startsWith('-') ? -1 : 1
    const order = (a: unknown, b: unknown): number =>
      typeof a === 'number' && typeof b === 'number'
        ? a - b
        : String(a) < String(b)
          ? -1
          : Number(String(a) > String(b))
    return kept.toSorted((a, b) => turn * order(a.values[key], b.values[key]))
  }
  const list = (at: number, items: ReadonlyMap<string, Stored>, url: URL): Outcome => {
    const query = url.searchParams
    const all = chosen(at, items, query)
    const limitName = { page: name('per page'), link: name('per page') }[design.paging as 'page'] ?? 'limit'
    const size = design.paging === 'none' ? all.length : Number(query.get(limitName) ?? design.pageSize)
    const page = Math.max(1, Number(query.get('page') ?? 1))
    const token = query.get(name('page token'))
    const after = query.get(name('starting after'))
    const starts: Partial<Record<Design['paging'], number>> = {
      page: (page - 1) * size,
      link: (page - 1) * size,
      offset: Number(query.get('offset') ?? 0),
      token: token === null ? 0 : Number(Buffer.from(token, 'base64url').toString().slice(1)),
      after: after === null ? 0 : all.findIndex(({ id }) => String(id) === after) + 1,
    }
    const start = starts[design.paging] ?? 0
    const part = all.slice(start, start + size)
    const more = start + size < all.length
    const next = more ? Buffer.from(`o${start + size}`).toString('base64url') : undefined
    const metas: Partial<Record<Design['paging'], Json>> = {
      page: { page, [limitName]: size },
      offset: { offset: start, limit: size },
      after: design.list === 'object' ? {} : { [name('has more')]: more },
      token: { [name('next page token')]: next ?? (design.seed % 2 === 0 ? null : '') },
    }
    const meta = { ...metas[design.paging], ...(design.hasTotal && { [name('total count')]: all.length }) }
    const address = (number: number): string => {
      const other = new URL(url)
      other.searchParams.set('page', String(number))
      return `<${other.href}>`
    }
    const last = Math.max(1, Math.ceil(all.length / Math.max(1, size)))
    const links = [...(more ? [`${address(page + 1)}; rel="next"`] : []), `${address(last)}; rel="last"`]
    const isBare = design.list === 'bare'
    const headers = {
      ...(design.paging === 'link' && { link: links.join(', ') }),
      ...(isBare && design.hasTotal && { 'x-total-count': String(all.length) }),
      ...(isBare && design.paging === 'token' && next !== undefined && { 'x-next-page-token': next }),
    }
    const rows = part.map((item) => shown(at, item))
    const [singular, plural] = (design.collections[at] as Collection).noun
    const bodies: Record<Design['list'], unknown> = {
      bare: rows,
      data: { data: rows, ...(Object.keys(meta).length > 0 && { meta }) },
      named: { [name(plural)]: rows, ...meta },
      items: { ...meta, items: rows },
      object: { object: 'list', data: rows, [name('has more')]: more, url: url.pathname, ...meta },
      kind: { kind: `${written(singular, 'pascal')}List`, apiVersion: 'v1', metadata: meta, items: rows },
      values: { ...meta, [name('is last')]: !more, values: rows },
    }
    return { status: 200, body: bodies[design.list], headers }
  }

  const deleted = (at: number, item: Stored): Outcome => {
    if (design.deleted === 'nothing') return { status: 204 }
    if (design.deleted === 'empty') return { status: 200, body: {} }
    return {
      status: 200,
      body: design.deleted === 'item' ? single(at, item) : { id: item.id, deleted: true },
    }
  }

  const ofCollection = (at: number, items: Map<string, Stored>, received: Received): Outcome => {
    const { method, url, body } = received
    if (method === 'GET') return list(at, items, url)
    if (method !== 'POST') throw new Refused(405, 'method_not_allowed', `${method} is not allowed here`)
    const item = create(at, items, body)
    const own = url.pathname.replace(/\.json$/, '')
    const headers = {
      ...etagOf(item),
      ...(design.hasLocation && { location: `${own}/${item.id}${design.suffix}` }),
    }
    return { status: design.createdStatus, body: single(at, item), headers }
  }
  const ofItem = (
    at: number,
    items: Map<string, Stored>,
    id: string,
    { method, headers, body }: Received,
  ): Outcome => {
    const item = found(at, items, id)
    const { etag } = etagOf(item)
    if (method === 'GET') {
      const isSame = etag !== undefined && headers['if-none-match'] === etag
      return isSame
        ? { status: 304, headers: { etag } }
        : { status: 200, body: single(at, item), headers: etagOf(item) }
    }
    if (etag !== undefined && headers['if-match'] !== undefined && headers['if-match'] !== etag)
      throw new Refused(412, 'precondition_failed', 'The item was changed by someone else')
    if (method === 'DELETE') {
      items.delete(id)
      return deleted(at, item)
    }
    if (method !== design.update)
      throw new Refused(405, 'method_not_allowed', `${method} is not allowed here`)
    Object.assign(item.values, valuesIn(at, body, method === 'PUT'))
    item.changed = now
    item.version++
    return { status: 200, body: single(at, item), headers: etagOf(item) }
  }

  // What is called by name is a store of its own.
  const called = (operation: string, given: Json): Json => {
    const { noun } = design.collections[0] as Collection
    const [singular, plural] = noun
    const items = storeOf(0, 'called')
    const verb = /list|get|create|delete/i.exec(operation)?.[0].toLowerCase()
    const id = String(given['id'] ?? given[name('item id')])
    if (verb === 'list') return { [name(plural)]: [...items.values()].map((item) => shown(0, item)) }
    if (verb === 'get') return { [name(singular)]: shown(0, found(0, items, id)) }
    if (verb === 'create') return { [name(singular)]: shown(0, create(0, items, given)) }
    if (verb !== 'delete') throw new Refused(400, 'unknown_operation', `There is no ${operation}`)
    found(0, items, id)
    items.delete(id)
    return {}
  }
  const callOf = ({ url, headers, body }: Received): Outcome | undefined => {
    const given = isJson(body) ? body : {}
    const path = url.pathname.slice(design.prefix.length)
    if (design.calls === 'jsonrpc' && path === '/rpc') {
      const head = { jsonrpc: '2.0', id: given['id'] }
      try {
        return {
          status: 200,
          body: { ...head, result: called(String(given['method']), given['params'] as Json) },
        }
      } catch (error) {
        const { status, message } = error as Refused
        return { status: 200, body: { ...head, error: { code: -32_000 - status, message } } }
      }
    }
    if (design.calls === 'header' && path === '/invoke') {
      try {
        return { status: 200, body: called(String(headers['x-operation']), given) }
      } catch (error) {
        const { word, message } = error as Refused
        return { status: 400, body: { __type: `com.example#${word}`, message } }
      }
    }
    if (design.calls === 'query' && path === '/call')
      return { status: 200, body: called(url.searchParams.get('action') ?? '', given) }
    const [, operation] = /^\/call\/(.*)$/.exec(path) ?? []
    if (design.calls !== 'path' || operation === undefined) return undefined
    try {
      return { status: 200, body: { ok: true, ...called(operation, given) } }
    } catch (error) {
      return { status: 200, body: { ok: false, error: (error as Refused).word } }
    }
  }

  const route = (received: Received): Outcome => {
    const { url, headers } = received
    if (design.needsToken && headers.authorization === undefined)
      throw new Refused(401, 'unauthorized', 'Authentication is required')
    const call = callOf(received)
    if (call !== undefined) return call
    const path = url.pathname.slice(design.prefix.length).replace(/\.json$/, '')
    const segments = path.split('/').slice(1).map(decodeURIComponent)
    let at: number | undefined
    let place = ''
    let isNew = false
    for (const [index, segment] of segments.entries()) {
      if (index % 2 === 0) {
        const parent = at
        at = design.collections.findIndex(
          ({ noun }, own) =>
            written(noun[1], design.pathCase) === segment && parentOf(design, own) === parent,
        )
        if (at < 0) break
        place += `/${segment}`
        if (index === segments.length - 1) return ofCollection(at, storeOf(at, place, isNew), received)
      } else {
        const items = storeOf(at as number, place, isNew)
        if (index === segments.length - 1) return ofItem(at as number, items, segment, received)
        isNew ||= found(at as number, items, segment).created >= begun
        place += `/${segment}`
      }
    }
    throw new Refused(404, 'not_found', `There is nothing at ${url.pathname}`)
  }

  return (received) => {
    now += 1000 + Math.floor(random() * 60_000)
    try {
      return route(received)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return failure(design.error, error, received)
    }
  }
}
