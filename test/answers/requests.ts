import type { Got, Sent } from './client.ts'

/** A generator of requests to one app: seeded, and fed with what the app answered. */
export interface Requests {
  next(): Sent
  note(answer: Got): void
}

/** What is known of an app: its OpenAPI document, its list of routes, and its files. */
interface Known {
  readonly description: unknown
  readonly routes: unknown
  readonly sources: string
}

type Json = Readonly<Record<string, unknown>>
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Json
  readonly example?: unknown
}
interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly bodies: Readonly<Record<string, Json>>
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const ODD_PATHS = [
  ...['/', '//', '/nowhere', '/%zz', '/a%2Fb', '/__sim', '/__sim/nowhere', '/docs', '/openapi.json'],
  ...['/favicon.ico', '/../x', '/?', '/*'],
]
const ODD_QUERIES = [
  ...['', '?', '?&', '?a', '?a=1&a=2', '?a[]=1', '?%zz=1', '?__proto__=1', '?limit=0', '?limit=-1'],
  ...['?limit=2&offset=1', '?offset=9999', '?page=2', '?page=0', '?page_size=3', '?page_token=none'],
  ...['?cursor=none', '?limit=one', '?sort=name', '?dynamic=true', '?q=%00'],
]
const ODD_VALUES: readonly unknown[] = [
  ...['', ' ', 'Ada', 'nobody', '0', '-1', '1.5', '1e309', 'true', 'null', 'é😀', 'a'.repeat(300)],
  ...['2024-02-30', '../..', 0, 1, 7, -3, 2.5, true, false, null, [], ['a'], {}, { a: 1 }, { $ref: '#' }],
]
const ODD_BODIES = [
  ...['', '{', 'null', '[]', '{}', '"text"', '1', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '[{}]'],
  ...['\u{FEFF}{}', '{"name":"Ada"} x', 'name=Ada&quantity=2'],
]
const TYPES = [
  ...['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'application/merge-patch+json'],
  ...['nonsense', ''],
]
const ACCEPTS = [
  '*/*',
  'application/json',
  'application/xml',
  'text/html',
  'text/*;q=0.5, application/json;q=0.1',
  'image/png',
  'application/problem+json',
]
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { authorization: 'Bearer secret' },
  { authorization: 'Bearer wrong' },
  { authorization: 'Basic YTpi' },
  { authorization: 'Bearer' },
  { 'x-sim-session': 'one' },
  { 'x-sim-session': 'two' },
  { 'x-sim-session': '' },
  { origin: 'http://shop.example' },
  { origin: 'http://other.example' },
  { 'if-none-match': '*' },
  { 'accept-encoding': 'gzip, br' },
  { prefer: 'code=404' },
  { prefer: 'dynamic=true' },
  { cookie: 'session=abc; theme=dark' },
  { 'x-request-id': 'r-1' },
  { expect: 'nothing' },
  { range: 'bytes=0-1' },
  { 'x-api-key': 'k' },
  { host: 'elsewhere.example' },
]
const CONTROL: readonly (readonly [string, string, unknown?])[] = [
  ['GET', '/__sim/health'],
  ['GET', '/__sim/routes'],
  ['GET', '/__sim/requests?limit=3'],
  ['GET', '/__sim/requests?method=POST&limit=2'],
  ['GET', '/__sim/requests?limit=none'],
  ['DELETE', '/__sim/requests'],
  ['GET', '/__sim/store'],
  ['DELETE', '/__sim/store'],
  ['GET', '/__sim/scenarios'],
  ['POST', '/__sim/scenarios/reset'],
  ['GET', '/__sim/sessions'],
  ['DELETE', '/__sim/sessions/two'],
  ['GET', '/__sim/chaos'],
  ['DELETE', '/__sim/chaos'],
  ['PUT', '/__sim/chaos', { rules: [{ name: 'some', errors: { rate: 0.3, codes: [503] } }] }],
  ['PUT', '/__sim/chaos', { rules: [{ latency: 1, rate_limit: { requests: 3, per_seconds: 3600 } }] }],
  ['PUT', '/__sim/chaos', { rules: 'none' }],
  ['GET', '/__sim/clock'],
  ['POST', '/__sim/clock/advance', { ms: 61_000 }],
  ['POST', '/__sim/clock/advance', { ms: 'soon' }],
  ['POST', '/__sim/clock/reset'],
  ['POST', '/__sim/reset'],
  ['POST', '/__sim/verify', { requests: [{ method: 'GET', path: '/**' }] }],
  ['POST', '/__sim/verify', { requests: [{ method: 'PUT', path: '/never', exactly: 1 }] }],
  ['GET', '/__sim/modes'],
  ['GET', '/__sim/drift'],
  ['GET', '/__sim/adapters'],
  ['GET', '/__sim/metrics'],
  ['GET', '/__sim/openapi.json'],
  ['PATCH', '/__sim/health'],
]

/** Requests that fit an app, and such that do not. `sources` are its files: what they say in quotes is tried as a value. */
export function createRequests(seed: string, { description, routes, sources }: Known): Requests {
  const random = seeded(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const chance = (share: number): boolean => random() < share
  const operations = readOperations(description, routes)
  const words = [
    ...new Set([...sources.matchAll(/(['"])([\w .:@/*-]{1,40})\1/g)].map(([, , word]) => word ?? '')),
  ]
  const seen: string[] = []
  const defs = description as Json | null

  const follow = (schema: Json | undefined, depth = 0): Json => {
    const name = schema?.['$ref']
    if (typeof name !== 'string' || depth > 8) return schema ?? {}
    return follow(
      name
        .slice(2)
        .split('/')
        .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], defs) as Json,
      depth + 1,
    )
  }
  const odd = (): unknown => (chance(0.25) && words.length > 0 ? pick(words) : pick(ODD_VALUES))
  const fitting = (given: Json | undefined, depth = 0): unknown => {
    const schema = follow(given)
    if (Array.isArray(schema['enum'])) return pick(schema['enum'] as unknown[])
    if ('const' in schema) return schema['const']
    if ('default' in schema && chance(0.3)) return schema['default']
    if ('example' in schema && chance(0.5)) return schema['example']
    const any = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined
    if (any !== undefined) return fitting(pick(any), depth + 1)
    const type = Array.isArray(schema['type']) ? pick(schema['type'] as string[]) : schema['type']
    const min = Number(schema['minimum'] ?? 0)
    const max = Number(schema['maximum'] ?? min + 50)
    if (type === 'integer') return Math.ceil(min + Math.floor(random() * (max - min)))
    if (type === 'number') return min + Math.round(random() * (max - min) * 100) / 100
    if (type === 'boolean') return chance(0.5)
    if (type === 'null') return null
    if (type === 'array')
      return depth > 4
        ? []
        : Array.from({ length: Math.floor(random() * 3) + Number(schema['minItems'] ?? 0) }, () =>
            fitting(schema['items'] as Json, depth + 1),
          )
    if (type === 'object' || schema['properties'] !== undefined) {
      const required = (schema['required'] ?? []) as string[]
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
      const chosen = properties.filter(([key]) => required.includes(key) || (depth < 4 && chance(0.6)))
      return Object.fromEntries(chosen.map(([key, value]) => [key, fitting(value, depth + 1)]))
    }
    return text(schema)
  }
  const text = (schema: Json): string => {
    if (schema['format'] === 'uuid') return '3f2b8a54-1c6d-4e7f-9a0b-5c4d3e2f1a0b'
    if (schema['format'] === 'email') return 'ada@example.com'
    if (schema['format'] === 'date') return pick(['2024-03-01', '2025-12-31'])
    if (schema['format'] === 'date-time') return '2024-03-01T10:00:00Z'
    if (seen.length > 0 && chance(0.4)) return pick(seen)
    return pick(['Ada', 'Grace', 'teapot', 'x', 'one two', ...words]).padEnd(
      Number(schema['minLength'] ?? 0),
      'x',
    )
  }
  const inUrl = (value: unknown): string =>
    chance(0.05) ? '%zz' : encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))

  const call = (operation: Operation): Sent => {
    const wrong = chance(0.3)
    const valueOf = (schema: Json | undefined): unknown => (wrong && chance(0.5) ? odd() : fitting(schema))
    const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
      if (seen.length > 0 && chance(0.6)) return inUrl(pick(seen))
      return inUrl(
        valueOf(operation.parameters.find((each) => each.name === name)?.schema ?? { type: 'string' }),
      )
    })
    const headers: Record<string, string> = {}
    const query: string[] = []
    for (const parameter of operation.parameters) {
      if (parameter.required === true ? wrong && chance(0.3) : chance(0.5)) continue
      const value = valueOf(parameter.schema)
      if (parameter.in === 'query')
        for (const each of Array.isArray(value) ? value : [value])
          query.push(`${encodeURIComponent(parameter.name)}=${inUrl(each)}`)
      if (parameter.in === 'header')
        headers[parameter.name.toLowerCase()] = String(value).replace(/[^\x20-\x7e]/g, '')
      if (parameter.in === 'cookie')
        headers['cookie'] = `${parameter.name}=${encodeURIComponent(String(value))}`
    }
    if (query.length === 0 && chance(0.15)) query.push(pick(ODD_QUERIES).slice(1))
    if (chance(0.3)) Object.assign(headers, pick(HEADERS))
    if (chance(0.1) && words.length > 0) headers['authorization'] = `Bearer ${pick(words)}`
    const hosts = words.filter((word) => /^[\w*.-]+\.example(?:\.com)?$/.test(word))
    if (chance(0.5) && hosts.length > 0) headers['host'] = pick(hosts).replace('*', 'some')
    if (chance(0.2)) headers['accept'] = pick(ACCEPTS)
    const [type] = Object.keys(operation.bodies)
    const body =
      type === undefined
        ? undefined
        : wrong && chance(0.4)
          ? pick(ODD_BODIES)
          : bodyOf(type, valueOf(operation.bodies[type]))
    if (type !== undefined) headers['content-type'] = wrong && chance(0.2) ? pick(TYPES) : type
    return {
      method: operation.method,
      path: query.length === 0 ? path : `${path}?${query.join('&')}`,
      headers: sendable(headers),
      ...(body !== undefined && { body }),
    }
  }
  const bodyOf = (type: string, value: unknown): string => {
    if (!type.includes('urlencoded') || typeof value !== 'object') return JSON.stringify(value) ?? ''
    return Object.entries(value ?? {})
      .map(([key, each]) => `${encodeURIComponent(key)}=${inUrl(each)}`)
      .join('&')
  }
  const stray = (): Sent => {
    const known = operations.length > 0 && chance(0.6) ? call(pick(operations)) : undefined
    const method = pick(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])
    const preflight =
      method === 'OPTIONS' && chance(0.7)
        ? {
            origin: pick(['http://shop.example', 'http://other.example']),
            'access-control-request-method': pick(['GET', 'POST', 'DELETE']),
          }
        : {}
    const path =
      known === undefined
        ? pick(ODD_PATHS) + (chance(0.3) ? pick(ODD_QUERIES) : '')
        : chance(0.2)
          ? `${known.path.split('?')[0]}/`
          : known.path
    const body = ['POST', 'PUT', 'PATCH'].includes(method) && chance(0.6) ? pick(ODD_BODIES) : undefined
    const headers = {
      ...known?.headers,
      ...(chance(0.3) && pick(HEADERS)),
      ...preflight,
      ...(body !== undefined && { 'content-type': pick(TYPES) }),
    }
    return { method, path, headers: sendable(headers), ...(body !== undefined && { body }) }
  }
  const control = (): Sent => {
    const [method, path, body] = pick(CONTROL)
    const headers = {
      ...(chance(0.3) && { 'x-sim-session': pick(['one', 'two']) }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
  }

  return {
    next() {
      const kind = random()
      if (kind < 0.12) return control()
      if (kind < 0.3 || operations.length === 0) return stray()
      const made = call(pick(operations))
      return made.method === 'GET' && chance(0.08) ? { ...made, method: 'HEAD' } : made
    },
    note({ body }) {
      const found = [
        ...body.matchAll(/"(?:id|\w*_id|uid|key|name|next|\w*cursor|\w*token)":\s*("?)([^",}\]]{1,80})\1/g),
      ]
      for (const [, , value = ''] of found.slice(0, 3)) seen.unshift(value)
      seen.length = Math.min(seen.length, 12)
    },
  }
}

function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => /^[\w-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)),
  )
}

function readOperations(description: unknown, routes: unknown): Operation[] {
  const paths = Object.entries(((description as Json | null)?.['paths'] ?? {}) as Record<string, Json>)
  const described = paths.flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method): Operation => {
      const operation = item[method] as Json
      const content = ((operation['requestBody'] as Json | undefined)?.['content'] ?? {}) as Record<
        string,
        Json
      >
      const parameters = [
        ...((item['parameters'] ?? []) as Parameter[]),
        ...((operation['parameters'] ?? []) as Parameter[]),
      ]
      const bodies = Object.fromEntries(
        Object.entries(content).map(([type, { schema }]) => [type, (schema ?? {}) as Json]),
      )
      return {
        method: method.toUpperCase(),
        path,
        parameters: parameters.filter(({ name }) => name !== undefined),
        bodies,
      }
    }),
  )
  const listed = Array.isArray(routes) ? (routes as { method: string; path: string }[]) : []
  const rest = listed.filter(
    ({ method, path }) => !described.some((each) => each.method === method && each.path === path),
  )
  return [...described, ...rest.map(({ method, path }) => ({ method, path, parameters: [], bodies: {} }))]
}

function seeded(text: string): () => number {
  let state = 2166136261
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
