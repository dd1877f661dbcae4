import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createRouter,
  type Routable,
  type RouteMatch,
  type Router,
  type RouterOptions,
} from '../../src/routing/router.ts'

interface Row extends Routable {
  readonly host?: string | undefined
}

const row = (key: string): Row => {
  const [method = '', path = ''] = key.split(' ')
  return { method, path }
}
const routerOf = (...keys: string[]): Router<Row> => createRouter(keys.map(row))
const shown = (match: RouteMatch<Row> | undefined): unknown =>
  match && [match.route.path, { ...match.params }]
const find = (router: Router<Row>, method: string, path: string): unknown =>
  shown(router.match({ method, path }))

describe('a router', () => {
  const router = routerOf(
    'GET /',
    'GET /users',
    'GET /users/me',
    'GET /users/{id}',
    'GET /users/u-{id}.json',
    'GET /users/{id}.json',
    'GET /users/{id}/posts/{post}',
    'DELETE /users/{id}',
    'GET /{kind}/latest',
    'GET /files/{name}.{extension}',
    'GET /blog/{page}{extension}',
    'POST /names/a%20b',
    'GET /geo/{latitude},{longitude}',
  )

  it.for([
    ['/', ['/', {}]],
    ['', ['/', {}]],
    ['/users', ['/users', {}]],
    ['/users/', ['/users', {}]],
    ['/users/me', ['/users/me', {}]],
    ['/users/you', ['/users/{id}', { id: 'you' }]],
    ['/users/7.json', ['/users/{id}.json', { id: '7' }]],
    ['/users/u-7.json', ['/users/u-{id}.json', { id: '7' }]],
    ['/users/.json', ['/users/{id}', { id: '.json' }]],
    ['/users/7/posts/9/', ['/users/{id}/posts/{post}', { id: '7', post: '9' }]],
    ['/users/latest', ['/users/{id}', { id: 'latest' }]],
    ['/posts/latest', ['/{kind}/latest', { kind: 'posts' }]],
    ['/files/a.tar.gz', ['/files/{name}.{extension}', { name: 'a.tar', extension: 'gz' }]],
    ['/blog/a.b.json', ['/blog/{page}{extension}', { page: 'a.b', extension: '.json' }]],
    ['/geo/1.5,-2', ['/geo/{latitude},{longitude}', { latitude: '1.5', longitude: '-2' }]],
    ['/users/a%2Fb%20c', ['/users/{id}', { id: 'a/b c' }]],
    ['/users/%E2%82%AC', ['/users/{id}', { id: '€' }]],
    ['/%75sers', ['/users', {}]],
    ['/users/100%', ['/users/{id}', { id: '100%' }]],
    ['/users/%zz', ['/users/{id}', { id: '%zz' }]],
    ['/users/a%0Ab', ['/users/{id}', { id: 'a\nb' }]],
    ['/users//', undefined],
    ['//users', undefined],
    ['/users/7/posts', undefined],
    ['/nothing/here/at/all', undefined],
    ['*', undefined],
  ] as const)('finds for GET %s: %j', ([path, expected]) => {
    expect(find(router, 'GET', path)).toEqual(expected)
  })

  it('decodes the literals of a template as well', () => {
    expect(find(router, 'POST', '/names/a%20b')).toEqual(['/names/a%20b', {}])
  })

  it('leaves a branch that has no route for the method', () => {
    expect(find(router, 'DELETE', '/users/me')).toEqual(['/users/{id}', { id: 'me' }])
    expect(find(router, 'PATCH', '/users/me')).toBeUndefined()
  })

  it('leaves a literal branch that leads nowhere', () => {
    const nested = routerOf('GET /a/b/c', 'GET /{x}/b/d', 'GET /a/{y}/e')
    expect(find(nested, 'GET', '/a/b/d')).toEqual(['/{x}/b/d', { x: 'a' }])
    expect(find(nested, 'GET', '/a/b/e')).toEqual(['/a/{y}/e', { y: 'b' }])
  })

  it('prefers, of segments with literal parts, the one declared first', () => {
    expect(find(routerOf('GET /{a}-{b}', 'GET /{c}-y'), 'GET', '/x-y')).toEqual([
      '/{a}-{b}',
      { a: 'x', b: 'y' },
    ])
    expect(find(routerOf('GET /{c}-y', 'GET /{a}-{b}'), 'GET', '/x-y')).toEqual(['/{c}-y', { c: 'x' }])
  })

  it('keeps the parameter names of routes that share a segment', () => {
    const shared = routerOf('GET /{a}-{b}', 'DELETE /{c}-{d}', 'GET /{e}', 'DELETE /{f}')
    expect(find(shared, 'DELETE', '/1-2')).toEqual(['/{c}-{d}', { c: '1', d: '2' }])
    expect(find(shared, 'DELETE', '/12')).toEqual(['/{f}', { f: '12' }])
  })

  it('answers HEAD by the GET route', () => {
    expect(find(router, 'HEAD', '/users/7')).toEqual(['/users/{id}', { id: '7' }])
    expect(find(router, 'HEAD', '/names/a%20b')).toBeUndefined()
  })

  it('takes expression characters in templates literally', () => {
    const odd = routerOf('GET /a+b({c})$', 'GET /a.c')
    expect(find(odd, 'GET', '/a+b(1)$')).toEqual(['/a+b({c})$', { c: '1' }])
    expect(find(odd, 'GET', '/aab(1)$')).toBeUndefined()
    expect(find(odd, 'GET', '/abc')).toBeUndefined()
  })

  it('keeps a parameter called __proto__ apart from any prototype', () => {
    const params = routerOf('GET /{__proto__}').match({ method: 'GET', path: '/x' })?.params ?? {}
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    expect(Object.entries(params)).toEqual([['__proto__', 'x']])
  })

  it.for([
    ['/users/me', ['GET', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/users', ['GET', 'HEAD', 'OPTIONS']],
    ['/names/a b', ['POST', 'OPTIONS']],
    ['/nowhere/at/all', []],
  ] as const)('allows for %s: %j', ([path, methods]) => {
    expect([...router.allowed({ path })].toSorted()).toEqual([...methods].toSorted())
  })

  it('lets a method of its own win over *, and GET over * for HEAD', () => {
    const router = routerOf('* /x', 'GET /x', '* /{any}')
    expect(router.match({ method: 'GET', path: '/x' })?.route.method).toBe('GET')
    expect(router.match({ method: 'HEAD', path: '/x' })?.route.method).toBe('GET')
    expect(router.match({ method: 'PURGE', path: '/x' })?.route.path).toBe('/x')
    expect(find(router, 'PUT', '/y')).toEqual(['/{any}', { any: 'y' }])
    expect(router.allowed({ path: '/y' })).toEqual([
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
    ])
  })

  it('gives all that is left of a path to a last parameter with a star', () => {
    const router = routerOf('GET /files/{path*}', 'GET /files/{name}', 'GET /files/a/b', 'GET /{x*}/y')
    expect(find(router, 'GET', '/files/a/c%2Fd/e/')).toEqual(['/files/{path*}', { path: 'a/c/d/e' }])
    expect(find(router, 'GET', '/files/a')).toEqual(['/files/{name}', { name: 'a' }])
    expect(find(router, 'GET', '/files/a/b')).toEqual(['/files/a/b', {}])
    expect(find(router, 'GET', '/files')).toBeUndefined()
    expect(find(router, 'GET', '/z/y')).toEqual(['/{x*}/y', { x: 'z' }])
    expect(find(router, 'GET', '/z/z/y')).toEqual(['/{x*}/y', { x: 'z/z' }])
  })

  it('finds a route by any of its templates, each with parameters of its own', () => {
    const router = createRouter([{ ...row('GET /users/{id}'), aliases: ['/v0/users/{key}', '/me'] }])
    expect(find(router, 'GET', '/v0/users/7')).toEqual(['/users/{id}', { key: '7' }])
    expect(find(router, 'GET', '/me')).toEqual(['/users/{id}', {}])
    expect(find(router, 'GET', '/users/7')).toEqual(['/users/{id}', { id: '7' }])
  })

  it('gives the last of two routes for the same requests', () => {
    const rows = [row('GET /users/{id}'), row('GET /users/{name}/')]
    expect(createRouter(rows).match({ method: 'GET', path: '/users/7' })?.route).toBe(rows[1])
  })
})

describe('a strict router', () => {
  const rows = [
    row('GET /items'),
    row('POST /items'),
    row('GET /items/{item}'),
    row('POST /items/special'),
    row('GET /items/{item}/parts/{part}'),
    row('GET /files/{path*}'),
    row('GET /files/list'),
  ]
  const router = createRouter(rows, { strict: true })

  it.for([
    ['/items', '/items', {}],
    ['/items/7', '/items/{item}', { item: '7' }],
    ['/items/special', '/items/{item}', { item: 'special' }],
    ['/items/a%2Fb%20c%3F', '/items/{item}', { item: 'a/b c?' }],
    ['/items/1/parts/2', '/items/{item}/parts/{part}', { item: '1', part: '2' }],
    ['/files/a/b%2Fc', '/files/{path*}', { path: 'a/b/c' }],
    ['/files/a/', '/files/{path*}', { path: 'a/' }],
    ['/files/list', '/files/list', {}],
    ['/files/list/more', '/files/{path*}', { path: 'list/more' }],
  ] as const)('finds for GET %s: %s', ([path, template, params]) => {
    expect(find(router, 'GET', path)).toEqual([template, params])
  })

  it.for([
    '/',
    '/item',
    '/items/',
    '/items/1/parts',
    '/items//parts/2',
    '/files',
    '/items/%zz',
    '/items/%C3',
    '',
  ])('finds nothing for GET %s, and no methods', (path) => {
    expect(find(router, 'GET', path)).toBeUndefined()
    expect(router.allowed({ path })).toEqual([])
  })

  it('gives the methods of a path without the one requested', () => {
    expect(find(router, 'PUT', '/items')).toBeUndefined()
    expect(router.allowed({ path: '/items' })).toEqual(['GET', 'POST', 'HEAD', 'OPTIONS'])
  })

  it('gives back whatever values are put into a template', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(value, value, (item, part) => {
        const path = `/items/${encodeURIComponent(item)}/parts/${encodeURIComponent(part)}`
        expect(find(router, 'GET', path)).toEqual(['/items/{item}/parts/{part}', { item, part }])
      }),
    )
  })
})

describe('a router of several hosts', () => {
  const on = (host: string | undefined, path: string, method = 'GET'): Row => ({ method, path, host })
  const routerOn = (...rows: readonly Row[]): Router<Row> =>
    createRouter(rows, { hostOf: ({ host }) => host })
  const router = routerOn(
    on(undefined, '/users/me'),
    on('*.example.com', '/users/{id}'),
    on('api.example.com', '/{all}/{id}'),
    on('*.b.example.com', '/users/{id}'),
    on('api.example.com:8443', '/users/{id}'),
  )
  const answering = (router: Router<Row>, host: string, path: string): string | undefined => {
    const match = router.match({ method: 'GET', path, host, scheme: 'http' })
    return match && `${match.route.host ?? ''}${match.route.path}`
  }

  it.for([
    ['api.example.com', '/users/me', 'api.example.com/{all}/{id}'],
    ['API.EXAMPLE.COM.:80', '/users/me', 'api.example.com/{all}/{id}'],
    ['api.example.com:8443', '/users/me', 'api.example.com:8443/users/{id}'],
    ['a.b.example.com', '/users/me', '*.b.example.com/users/{id}'],
    ['www.example.com', '/users/me', '*.example.com/users/{id}'],
    ['example.com', '/users/me', '/users/me'],
    ['no host', '/users/me', '/users/me'],
    ['example.com', '/users/7', undefined],
  ] as const)('lets the most specific host answer %s%s', ([host, path, found]) => {
    expect(answering(router, host, path)).toBe(found)
    expect(answering(router, host, path)).toBe(found)
  })

  it('goes on to the next host where the most specific one does not have the path', () => {
    const router = routerOn(on('api.example.com', '/a'), on(undefined, '/b'))
    expect(answering(router, 'api.example.com', '/b')).toBe('/b')
  })

  it('lets a route without a host answer a request without one', () => {
    expect(router.match({ method: 'GET', path: '/users/me' })?.route.host).toBeUndefined()
  })

  it('knows the port of a scheme', () => {
    const router = routerOn(on('a.example:443', '/x'))
    const request = { method: 'GET', path: '/x', host: 'a.example' }
    expect(router.match({ ...request, scheme: 'https' })).toBeDefined()
    expect(router.match({ ...request, scheme: 'http' })).toBeUndefined()
  })

  it('answers any number of hosts', () => {
    for (let host = 0; host < 1_500; host++)
      expect(answering(router, `h${host}.example.com`, '/users/7')).toBe('*.example.com/users/{id}')
    expect(answering(router, `${'a.'.repeat(200)}example.com`, '/users/7')).toBe('*.example.com/users/{id}')
  })

  it('names the methods of all hosts that may answer', () => {
    const router = routerOn(on('a.example', '/x', 'POST'), on(undefined, '/x'))
    expect(router.allowed({ path: '/x', host: 'a.example' })).toEqual(['POST', 'OPTIONS', 'GET', 'HEAD'])
    expect(router.allowed({ path: '/x', host: 'b.example' })).toEqual(['GET', 'HEAD', 'OPTIONS'])
    expect(router.allowed({ path: '/y', host: 'b.example' })).toEqual([])
  })
})

describe('any router', () => {
  const segment = fc.constantFrom(
    'a',
    'b',
    'ab',
    '{p}',
    '{p}',
    'a{p}',
    '{p}b',
    '{p}a{q}',
    'a.{p}.b',
    '{p}{q}',
  )
  const template = fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.constantFrom('', '', '', '/{p*}'))
    .map(([segments, rest]) => `/${segments.join('/')}${segments.length === 0 ? rest.slice(1) : rest}`)
  const rows = fc.array(
    fc.record({
      method: fc.constantFrom('GET', 'POST', 'HEAD', '*'),
      path: template,
      aliases: fc.array(template, { maxLength: 1 }),
      host: fc.constantFrom(undefined, undefined, 'a.test', '*.test'),
    }),
    { maxLength: 8 },
  )
  const part = fc.constantFrom('a', 'b', 'ab', 'aab', 'bab', 'a.x.b', 'c', '', '%61', 'a%2Fb', '%zz')
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT'),
    path: fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
    host: fc.constantFrom('a.test', 'b.test', 'else'),
  })
  const numbered = (path: string): string => {
    let number = 0
    return path.replace(/\{\w/g, () => `{p${number++}`)
  }

  it.for([false, true])(
    'finds what trying all templates in the order of specificity finds; strict: %s',
    (strict) => {
      fc.assert(
        fc.property(rows, fc.array(request, { minLength: 1, maxLength: 8 }), (drawn, requests) => {
          const routes = drawn.map((each) => ({
            ...each,
            path: numbered(each.path),
            aliases: each.aliases.map(numbered),
          }))
          const options: RouterOptions<Row> = { hostOf: ({ host }) => host, strict }
          const router = createRouter<Row>(routes, options)
          for (const each of requests) {
            const candidates = candidatesOf(routes, each, strict)
            const [best] = candidates.filter(({ methodRank }) => methodRank < 3).toSorted(compareCandidates)
            const found = router.match(each)
            expect(found?.route).toBe(best?.route)
            expect(found?.params).toEqual(best?.params)
            const methods = new Set(candidates.map(({ route }) => route.method))
            const allowed = router.allowed(each)
            expect(methods.size > 0).toBe(allowed.includes('OPTIONS'))
            for (const method of methods) expect(method === '*' || allowed.includes(method)).toBe(true)
          }
        }),
        { numRuns: 2000 },
      )
    },
  )

  it('takes any path without failing', () => {
    const lenient = routerOf('GET /a/{b}', 'GET /{x}-{y}/{z*}')
    const strict = createRouter([row('GET /a/{b}')], { strict: true })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(() => [find(lenient, 'GET', path), find(strict, 'GET', `/${path}`)]).not.toThrow()
      }),
    )
  })
})

interface Candidate {
  readonly route: Row
  readonly params: Readonly<Record<string, string>>
  /** By host, by each segment of the template, and by the method; the later of equal ones wins. */
  readonly ranks: readonly number[]
  readonly methodRank: number
  readonly order: number
}

interface Requested {
  readonly method: string
  readonly path: string
  readonly host: string
}

/** All routes that a path may lead to, each template tried alone. */
function candidatesOf(
  routes: readonly Row[],
  { method, path, host }: Requested,
  strict: boolean,
): Candidate[] {
  const templates = routes.flatMap((route) =>
    [route.path, ...(route.aliases ?? [])].map((path) => ({ route, path })),
  )
  if (strict && /%zz/.test(path)) return []
  const given = (strict ? path : path.replace(/\/$/, '')).split('/').slice(1).map(decoded)
  return templates.flatMap(({ route, path }, order) => {
    const hostRank = [
      route.host === host,
      route.host === '*.test' && host.endsWith('.test'),
      !route.host,
    ].indexOf(true)
    const segments = (strict ? path : path.replace(/\/$/, '')).split('/').slice(1)
    const takesRest = segments.at(-1)?.endsWith('*}') === true
    const fits = takesRest ? given.length >= segments.length : given.length === segments.length
    if (hostRank < 0 || !fits) return []
    const values = segments.map((segment, index) => {
      if (takesRest && index === segments.length - 1) return [given.slice(index).join('/')]
      // Where nothing lies before the last value, that is a file's extension.
      const source = segment.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(.+?)')
      const last = source.replace(/(\(\.\+\?\)){2}$/, String.raw`(?:(.+)(\..+?)|(.+?)(.+))`)
      const found = new RegExp(`^${last}$`, 's').exec(given[index] ?? '')
      return found?.slice(1).filter(Boolean)
    })
    if (values.includes(undefined)) return []
    const names = [...path.matchAll(/\{(\w+)/g)]
    const params = Object.fromEntries(names.map(([, name], index) => [name, values.flat()[index] ?? '']))
    const methodRank = [
      route.method === method,
      method === 'HEAD' && route.method === 'GET',
      route.method === '*',
      true,
    ].indexOf(true)
    const alike = templates.filter((each) => each.route.host === route.host).map((each) => each.path)
    const ranks = segments.map((_segment, index) => rankOf(segments.slice(0, index + 1), alike))
    return [{ route, params, ranks: [hostRank, ...ranks], methodRank, order }]
  })
}

function decoded(segment: string): string {
  return segment === '%zz' ? segment : decodeURIComponent(segment)
}

function shapeOf(segment: string): string {
  return segment.replace(/\{\w+\}/g, '{}')
}

// Literals first, then what was declared first of those with literal parts, then bare parameters, and the rest last.
function rankOf(segments: readonly string[], templates: readonly string[]): number {
  const shape = shapeOf(segments.at(-1) ?? '')
  if (!shape.includes('{')) return -1
  if (shape.endsWith('*}')) return templates.length + 1
  if (shape === '{}') return templates.length
  const start = `/${segments.map(shapeOf).join('/')}/`
  return templates.findIndex((path) => `${shapeOf(path)}/`.startsWith(start))
}

function compareCandidates(a: Candidate, b: Candidate): number {
  const difference = a.ranks.map((rank, index) => rank - (b.ranks[index] ?? 0)).find((each) => each !== 0)
  return difference ?? (a.methodRank - b.methodRank || b.order - a.order)
}
