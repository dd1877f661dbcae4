import { describe, expect, it } from 'vitest'
import {
  findHeaders,
  usualHeaders,
  type AnswerHeaders,
} from '../../../src/recording/inference/answer-headers.ts'
import { foldedOf, sample } from './samples.ts'

function headersOf(
  ...entries: readonly (readonly [string, unknown, Readonly<Record<string, string>>])[]
): AnswerHeaders {
  const samples = entries.map(([request, response, responseHeaders], index) => ({
    ...sample(index, request, { response }),
    responseHeaders,
  }))
  return findHeaders(samples, foldedOf(samples))
}
const made = (id: unknown, location: string) => ['POST /a', { id }, { location }] as const

describe('findHeaders', () => {
  it('finds where what was made is, at the server it was made at and anywhere', () => {
    expect(headersOf(made(7, '/a/7'), made(8, '/a/8'))).toEqual({
      headers: { location: '/a/{id}' },
      unexplained: [],
    })
    expect(headersOf(made('x y', 'http://api.example.com/a/x%20y')).headers).toEqual({
      location: 'http://api.example.com/a/x%20y',
    })
    expect(headersOf(made(7, 'http://api.example.com/a/7')).headers).toEqual({
      location: 'http://api.example.com/a/{id}',
    })
    expect(headersOf(made(7, 'https://other.example/a?id=7')).headers).toEqual({
      location: 'https://other.example/a?id={id}',
    })
  })

  it('takes a cookie away from whoever leaves, at any time', () => {
    const left = (cookie: string) => headersOf(['POST /logout', undefined, { 'set-cookie': cookie }]).headers
    expect(left('SID=; expires=Sat, 28-Nov-2026 11:42:49 GMT; path=/')).toEqual({
      'set-cookie': 'SID=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/',
    })
    expect(left('SID=""; Max-Age=0; path=/')).toEqual({ 'set-cookie': 'SID=""; Max-Age=0; path=/' })
  })

  it('finds where what was made is by its id in an envelope', () => {
    const boxed = (id: number) =>
      ['POST /a', { box: { id, lid: { id: 3 } } }, { location: `http://api.example.com/a/${id}` }] as const
    expect(headersOf(boxed(7), boxed(8)).headers).toEqual({ location: 'http://api.example.com/a/{box.id}' })
  })

  it('finds where what is answered is, and what other headers have of it', () => {
    const read = (id: number, etc: Record<string, string>) =>
      [`GET /a/${id}`, { id, kind: `k${id}` }, { 'content-location': `/v1/a/${id}`, ...etc }] as const
    const found = headersOf(
      read(7, { 'x-kind': 'k7', 'x-count': '7', 'x-trace': 'e1' }),
      read(8, { 'x-kind': 'k8', 'x-count': '7', 'x-trace': 'e2' }),
    )
    expect(found.headers).toEqual({ 'content-location': '/v1/a/{id}', 'x-kind': '{kind}' })
  })

  it('finds the link that names what is answered', () => {
    const read = (id: number, slug: string) =>
      [`GET /a/${id}`, { id, slug }, { link: `<http://api.example.com/${slug}/>; rel="alternate"` }] as const
    expect(headersOf(read(7, 'tea'), read(8, 'red-cake')).headers).toEqual({
      link: '<http://api.example.com/{slug}/>; rel="alternate"',
    })
  })

  it('finds the link that all answers have, and none from page to page', () => {
    const linked = (link: string) => ['GET /a', [{ id: 7 }], { link }] as const
    const home = '<http://api.example.com/>; rel="service"'
    expect(headersOf(linked(home), linked(home), linked(home)).headers).toEqual({ link: home })
    const next = '<http://api.example.com/a?page=2>; rel="next"'
    expect(headersOf(linked(next), linked(next), linked(next)).headers).toEqual({})
  })

  it('finds what most answers of the server have, where a route has that', () => {
    const answered = (version: string, index: number) => ({
      ...sample(index, 'GET /a', { response: { id: index } }),
      responseHeaders: { 'api-version': version },
    })
    const all = [...Array(9).keys()].map((index) => answered(index === 4 ? '1.0' : '1.36', index))
    const usual = usualHeaders(all)
    expect(usual).toEqual({ 'api-version': '1.36' })
    const only = all.slice(0, 1)
    expect(findHeaders(only, foldedOf(only), usual).headers).toEqual({ 'api-version': '1.36' })
    const other = all.slice(4, 5)
    expect(findHeaders(other, foldedOf(other), usual).headers).toEqual({})
  })

  it('finds the type of JSON that has a name of its own', () => {
    const answered = (type: string) => ['GET /a', { id: 7 }, { 'content-type': type }] as const
    const type = 'application/scim+json; charset=utf-8'
    expect(headersOf(answered(type)).headers).toEqual({ 'content-type': type })
    expect(headersOf(answered('application/json')).headers).toEqual({})
    expect(headersOf(answered(type), answered('application/json')).headers).toEqual({})
  })

  it('leaves out ids of requests', () => {
    const answered = (id: string) =>
      [
        'GET /a',
        { id: 7 },
        { 'request-id': id, 'x-correlation-id': id, 'x-openstack-request-id': id },
      ] as const
    expect(headersOf(answered('a'), answered('a'), answered('a')).headers).toEqual({})
  })

  it('finds where a path leads that only redirects', () => {
    expect(
      headersOf(
        ['GET /go/1', undefined, { location: '/b/1' }],
        ['GET /go/2', undefined, { location: '/b/2' }],
      ).headers,
    ).toEqual({
      location: '/b/{id}',
    })
    expect(headersOf(made(5, 'Books(5)'), made(6, 'Books(6)')).headers).toEqual({ location: 'Books({id})' })
    expect(headersOf(made('x', "Books('x')"), made('y', "Books('y')")).headers).toEqual({
      location: "Books('{id}')",
    })
    expect(headersOf(['GET /old', undefined, { location: '/new' }]).headers).toEqual({ location: '/new' })
  })

  it('reports an address that nothing explains', () => {
    expect(headersOf(made(1, '/a/x7'), made(2, '/a/x9'))).toEqual({ headers: {}, unexplained: ['location'] })
    expect(headersOf(made(1, '/a'), made(2, '/a/b')).unexplained).toEqual(['location'])
  })

  it('keeps a header that never changes, and none of the transport, of caches or with a secret', () => {
    const headers = { 'api-version': '2', date: 'x', etag: 'y', 'x-key': 'redacted-1f', server: 'z' }
    const requested = ['GET /a', {}, headers] as const
    expect(headersOf(requested, requested, requested).headers).toEqual({ 'api-version': '2' })
    expect(headersOf(requested, requested).headers).toEqual({})
    expect(
      headersOf(requested, requested, requested, ['GET /a', {}, { 'api-version': '3' }]).headers,
    ).toEqual({})
  })

  it('gives a route of few requests what all answers of the server have', () => {
    const answered = (index: number, path: string, version: string, status = 200) => ({
      ...sample(index, `GET ${path}`, { status, response: {} }),
      responseHeaders: { 'api-version': version, 'x-of': path },
    })
    const all = ['/a', '/b', '/c'].map((path, index) => answered(index, path, '2'))
    const usual = usualHeaders([...all, answered(3, '/d', '0', 500)])
    expect(usual).toEqual({ 'api-version': '2' })
    expect(findHeaders(all.slice(0, 1), foldedOf(all), usual).headers).toEqual(usual)
    expect(usualHeaders([...all, answered(3, '/d', '3')])).toEqual({})
  })

  it('has none of a route that never succeeded', () => {
    expect(findHeaders([], foldedOf([sample(0, 'GET /a')]))).toEqual({ headers: {}, unexplained: [] })
  })
})
