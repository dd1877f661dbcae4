import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRouteTable, type Match } from '../../src/routing/route-table.ts'
import { createRoute, type Method, type RouteDefinition } from '../../src/engine/route.ts'

const route = (method: Method, path: string): RouteDefinition => createRoute(method, path, {})
const tableOf = (...keys: string[]): ReturnType<typeof createRouteTable> =>
  createRouteTable(keys.map((key) => route(...(key.split(' ') as [Method, string]))))
const shown = (match: Match | undefined): unknown => match && [match.route.path, { ...match.params }]

describe('createRouteTable', () => {
  const table = tableOf(
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
    ['/files/a.tar.gz', ['/files/{name}.{extension}', { name: 'a', extension: 'tar.gz' }]],
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
    expect(shown(table.match('GET', path))).toEqual(expected)
  })

  it('decodes the literals of a template as well', () => {
    expect(shown(table.match('POST', '/names/a%20b'))).toEqual(['/names/a%20b', {}])
  })

  it('leaves a branch that has no route for the method', () => {
    expect(shown(table.match('DELETE', '/users/me'))).toEqual(['/users/{id}', { id: 'me' }])
    expect(shown(table.match('PATCH', '/users/me'))).toBeUndefined()
  })

  it('leaves a literal branch that leads nowhere', () => {
    const nested = tableOf('GET /a/b/c', 'GET /{x}/b/d', 'GET /a/{y}/e')
    expect(shown(nested.match('GET', '/a/b/d'))).toEqual(['/{x}/b/d', { x: 'a' }])
    expect(shown(nested.match('GET', '/a/b/e'))).toEqual(['/a/{y}/e', { y: 'b' }])
  })

  it('prefers, of segments with literal parts, the one declared first', () => {
    expect(shown(tableOf('GET /{a}-{b}', 'GET /{c}-y').match('GET', '/x-y'))).toEqual([
      '/{a}-{b}',
      { a: 'x', b: 'y' },
    ])
    expect(shown(tableOf('GET /{c}-y', 'GET /{a}-{b}').match('GET', '/x-y'))).toEqual(['/{c}-y', { c: 'x' }])
  })

  it('keeps the parameter names of routes that share a segment', () => {
    const shared = tableOf('GET /{a}-{b}', 'DELETE /{c}-{d}', 'GET /{e}', 'DELETE /{f}')
    expect(shown(shared.match('DELETE', '/1-2'))).toEqual(['/{c}-{d}', { c: '1', d: '2' }])
    expect(shown(shared.match('DELETE', '/12'))).toEqual(['/{f}', { f: '12' }])
  })

  it('answers HEAD by the GET route', () => {
    expect(shown(table.match('HEAD', '/users/7'))).toEqual(['/users/{id}', { id: '7' }])
    expect(table.match('HEAD', '/names/a%20b')).toBeUndefined()
  })

  it('takes expression characters in templates literally', () => {
    const odd = tableOf('GET /a+b({c})$', 'GET /a.c')
    expect(shown(odd.match('GET', '/a+b(1)$'))).toEqual(['/a+b({c})$', { c: '1' }])
    expect(odd.match('GET', '/aab(1)$')).toBeUndefined()
    expect(odd.match('GET', '/abc')).toBeUndefined()
  })

  it('keeps a parameter called __proto__ apart from any prototype', () => {
    const params = tableOf('GET /{__proto__}').match('GET', '/x')?.params ?? {}
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
    expect(Object.entries(params)).toEqual([['__proto__', 'x']])
  })

  it.for([
    ['/users/me', ['GET', 'DELETE', 'HEAD', 'OPTIONS']],
    ['/users', ['GET', 'HEAD', 'OPTIONS']],
    ['/names/a b', ['POST', 'OPTIONS']],
    ['/nowhere/at/all', []],
  ] as const)('allows for %s: %j', ([path, methods]) => {
    expect([...table.allowed(path)].toSorted()).toEqual([...methods].toSorted())
  })

  it('finds what a naive comparison of all routes finds', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '{p}', '{q}', 'a{p}', '{p}b', '{p}a{q}', 'a.{p}.b')
    let number = 0
    const template = fc
      .array(segment, { maxLength: 4 })
      .map((segments) => `/${segments.join('/')}`.replace(/\{\w\}/g, () => `{p${number++}}`))
    const method = fc.constantFrom<Method>('GET', 'POST')
    const part = fc.constantFrom('a', 'b', 'ab', 'aab', 'bab', 'a.x.b', 'c', '')
    const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`)
    const keyOf = ([each, at]: readonly [Method, string]): string => `${each} ${at.replace(/\{\w+\}/g, '{}')}`

    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(method, template), { maxLength: 8, selector: keyOf }),
        fc.array(path, { minLength: 1, maxLength: 8 }),
        (declared, paths) => {
          const routes = declared.map((each) => route(...each))
          const built = createRouteTable(routes)
          for (const each of paths)
            expect(shown(built.match('GET', each))).toEqual(shown(naiveMatch(routes, each)))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/** The best of all GET routes that match, segment by segment. */
function naiveMatch(routes: readonly RouteDefinition[], path: string): Match | undefined {
  const matches = routes
    .filter(({ method }) => method === 'GET')
    .flatMap((each) => {
      const segments = each.path === '/' ? [] : each.path.split('/').slice(1)
      const sources = segments.map((segment) =>
        segment.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/]+?)'),
      )
      const expression = new RegExp(`^/${sources.map((source) => `${source}/`).join('')}$`)
      const values = expression.exec(path.endsWith('/') ? path : `${path}/`)?.slice(1)
      const params = Object.fromEntries(each.parameters.map((name, index) => [name, values?.[index] ?? '']))
      const ranks = segments.map((_segment, index) => rankOf(segments.slice(0, index + 1), routes))
      return values === undefined ? [] : [{ match: { route: each, params }, ranks }]
    })
  const [best] = matches.toSorted((a, b) => compare(a.ranks, b.ranks))
  return best?.match
}

function shapeOf(segment: string): string {
  return segment.replace(/\{\w+\}/g, '{}')
}

// Literals first, bare parameters last, and between them whatever was declared first.
function rankOf(segments: readonly string[], routes: readonly RouteDefinition[]): number {
  const shape = shapeOf(segments.at(-1) ?? '')
  if (!shape.includes('{}')) return -1
  if (shape === '{}') return routes.length
  const start = `/${segments.map(shapeOf).join('/')}/`
  return routes.findIndex(({ path }) => `${shapeOf(path)}/`.startsWith(start))
}

function compare(a: readonly number[], b: readonly number[]): number {
  const difference = a.map((rank, index) => rank - (b[index] ?? 0)).find((each) => each !== 0)
  return difference ?? 0
}
