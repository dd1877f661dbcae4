import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/adapter/definition.ts'
import { failureOf } from '../../src/adapter/failure.ts'
import { createFinder } from '../../src/adapter/find-operation.ts'
import { OptionInvalid } from '../../src/errors.ts'

const entry = (id: string, path: string, method = 'GET', aliases: string[] = []) =>
  ({ id, path, method, aliases, handle: () => undefined }) as unknown as Operation<unknown>
const find = createFinder(
  [
    entry('list', '/items', 'GET', ['/v0/items']),
    entry('create', '/items', 'POST'),
    entry('get', '/items/{item}'),
    entry('special', '/items/special', 'POST'),
    entry('parts', '/items/{item}/parts/{part}'),
    entry('files', '/files/{path*}'),
    entry('fileList', '/files/list'),
  ],
  false,
)
const found = (path: string, method = 'GET') => {
  const { operation, params } = find(method, path)
  return { id: operation.id, params }
}
const failureFor = (path: string, method = 'GET') => {
  try {
    return found(path, method)
  } catch (error) {
    return failureOf(error)
  }
}

describe('the operation of a path', () => {
  it.for([
    ['/items', 'GET', 'list', {}],
    ['/v0/items', 'GET', 'list', {}],
    ['/items', 'POST', 'create', {}],
    ['/items/7', 'GET', 'get', { item: '7' }],
    ['/items/special', 'POST', 'special', {}],
    ['/items/special', 'GET', 'get', { item: 'special' }],
    ['/items/a%2Fb%20c%3F', 'GET', 'get', { item: 'a/b c?' }],
    ['/items/1/parts/2', 'GET', 'parts', { item: '1', part: '2' }],
    ['/files/a/b%2Fc', 'GET', 'files', { path: 'a/b/c' }],
    ['/files/list', 'GET', 'fileList', {}],
    ['/files/list/more', 'GET', 'files', { path: 'list/more' }],
  ] as const)('finds %s for %s', ([path, method, id, params]) => {
    expect(found(path, method)).toEqual({ id, params })
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
  ])('finds nothing for %s', (path) => {
    expect(failureFor(path)).toEqual({ kind: 'unknown-path' })
  })

  it('is not found by a method that the path does not have, but those are named that it has', () => {
    expect(failureFor('/items', 'PUT')).toEqual({ kind: 'method-not-allowed', allowed: ['GET', 'POST'] })
    expect(failureFor('/items/7', 'OPTIONS')).toEqual({ kind: 'method-not-allowed', allowed: ['GET'] })
  })

  it('is that of GET for HEAD', () => {
    expect(found('/items/a%2Fb', 'HEAD')).toEqual({ id: 'get', params: { item: 'a/b' } })
  })

  it.for([
    [[entry('a', '/x'), entry('b', '/x')], 'b and a both answer GET /x'],
    [[entry('a', '/x/{y}'), entry('b', '/x/{z}')], 'b and a both answer GET /x/{z}'],
    [[entry('a', 'x')], "the path 'x' must start with '/'"],
    [[entry('a', '/x{y}')], "'x{y}' in '/x{y}' is neither"],
    [[entry('a', '/{rest*}/x')], "'{rest*}' must be the last segment"],
  ] as const)('refuses %j', ([entries, message]) => {
    expect(() => createFinder(entries, false)).toThrow(OptionInvalid)
    expect(() => createFinder(entries, false)).toThrow(message)
  })

  it('may be declared with a slash at the end and without one', () => {
    expect(() => createFinder([entry('a', '/x', 'GET', ['/x/'])], false)).not.toThrow()
  })

  it('gives back whatever values are put into a template', () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(value, value, (item, part) => {
        const path = `/items/${encodeURIComponent(item)}/parts/${encodeURIComponent(part)}`
        expect(found(path)).toEqual({ id: 'parts', params: { item, part } })
      }),
    )
  })

  it('takes any path without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        expect(() => failureFor(`/${path}`)).not.toThrow()
      }),
    )
  })
})
