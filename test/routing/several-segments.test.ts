import { expect, it } from 'vitest'
import { createRouter } from '../../src/routing/router.ts'

it('gives a parameter of several segments the fewest that fit', () => {
  const paths = ['/v2/{name*}/tags/list', '/v2/{name*}/blobs/{digest}', '/v2/_all', '/v2/{name}/tags/{tag}']
  const router = createRouter(paths.map((path) => ({ method: 'GET', path })))
  const find = (path: string): unknown => {
    const match = router.match({ method: 'GET', path })
    return match && [match.route.path, match.params]
  }
  expect(find('/v2/a/b%20c/tags/list')).toEqual(['/v2/{name*}/tags/list', { name: 'a/b c' }])
  const blob = { name: 'tags/list/blobs', digest: 'x' }
  expect(find('/v2/tags/list/blobs/blobs/x')).toEqual(['/v2/{name*}/blobs/{digest}', blob])
  expect(find('/v2/a/tags/x')).toEqual(['/v2/{name}/tags/{tag}', { name: 'a', tag: 'x' }])
  expect(find('/v2/_all')).toEqual(['/v2/_all', {}])
  expect(find('/v2/blobs/x')).toBeUndefined()
})
