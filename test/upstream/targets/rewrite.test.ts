import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRewrite } from '../../../src/upstream/targets/rewrite.ts'

describe('a path rewrite', () => {
  it.for([
    ['/v1/users/{id}', '/people/{id}/profile', '/v1/users/7', '/people/7/profile'],
    ['/v1/users/{id}', '/people/{id}', '/v1/users/7/posts', '/v1/users/7/posts'],
    ['/v1/users/{id}', '/people/{id}', '/v1/users/', '/v1/users/'],
    ['/{rest*}', '/api/{rest}', '/a/b/c', '/api/a/b/c'],
    ['/{rest*}', '/api/{rest}', '/', '/api/'],
    ['/a.b/{x}', '/{x}', '/aXb/1', '/aXb/1'],
    ['/a/{x}/{y}', '/{y}/{x}/{x}', '/a/%2F/2', '/2/%2F/%2F'],
    ['/old', '/new', '/old', '/new'],
    ['/(a+)+$', '/x', '/aaaa', '/aaaa'],
  ] as const)('%s → %s makes of %s %s', ([from, to, path, expected]) => {
    expect(createRewrite([{ from, to }])(path)).toBe(expected)
  })

  it('is the first that fits', () => {
    const rewrite = createRewrite([
      { from: '/a/{x}', to: '/first/{x}' },
      { from: '/{rest*}', to: '/second/{rest}' },
    ])
    expect(['/a/1', '/b'].map(rewrite)).toEqual(['/first/1', '/second/b'])
  })

  it.for([
    ['a', '/b', "'a' must start with '/'"],
    ['/a', 'b', "'b' must start with '/'"],
    ['/a', '/b?c=1', "'/b?c=1' must start with '/', and be a path alone"],
    ['/a/{x}', '/{y}', "'/{y}' names {y}, which '/a/{x}' does not"],
    ['/a/{x}/{x}', '/{x}', "'/a/{x}/{x}' names the parameter 'x' twice"],
    ['/a{x}', '/{x}', "'/a{x}': a parameter is a whole segment"],
    ['/{x*}/b', '/{x}', "'/{x*}/b': {x*} takes all that is left"],
  ] as const)('refuses %s → %s', ([from, to, problem]) => {
    expect(() => createRewrite([{ from, to }])).toThrow(`rewrite: ${problem}`)
  })

  it('never throws on a path, and gives one that starts with a slash', () => {
    const rewrite = createRewrite([{ from: '/a/{x}/{rest*}', to: '/{rest}/{x}' }])
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        expect(rewrite(`/a/b${path}`).startsWith('/')).toBe(true)
      }),
    )
  })
})
