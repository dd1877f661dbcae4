import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { withEffects, withoutEffects } from '../../../src/recording/inference/effects.ts'
import { samplesOf } from './samples.ts'

const ANN = { name: 'ann', tags: 'x' }

it('shows of a write without an answer what the next read showed, and nothing across another write', () => {
  const samples = samplesOf(
    ['PUT /users/ann', { status: 201, body: { tags: 'x' } }],
    ['GET /users/ann', { response: ANN }],
    ['PATCH /users/ann', { status: 204, body: { tags: 'y' } }],
    ['PATCH /users/ann', { status: 204, body: { tags: 'z' } }],
    ['GET /users/ann', { response: { ...ANN, tags: 'z' } }],
    ['DELETE /users/ann', { status: 204 }],
    ['GET /users/ann', { status: 404, response: {} }],
  )
  const shown = withEffects(samples).map(({ response, isEmpty }) => (isEmpty ? response : undefined))
  const none = undefined
  expect(shown).toEqual([ANN, none, none, { ...ANN, tags: 'z' }, none, none, none])
  expect(withoutEffects(withEffects(samples)).map(({ response }) => response)).toEqual(
    samples.map(({ response }) => response),
  )
})

it('shows of a POST what was read at the name that it gives, and has there', () => {
  const samples = samplesOf(
    ['POST /users', { body: { id: 'ann', tags: 'x', age: 7 } }],
    ['GET /users/ann', { response: { id: 'ann', tags: 'x', roles: [] } }],
    ['GET /users/7', { response: { id: '7', tags: 'x' } }],
    ['POST /users', { body: { id: 'bob', age: 7 } }],
  )
  const [posted, , , unread] = withEffects(samples)
  expect(posted).toMatchObject({ isEmpty: true, response: { id: 'ann', tags: 'x', roles: [] } })
  expect(unread).toEqual(samples[3])
})

it('takes a location without a slash for relative to the path of the request', () => {
  const locations = ['mails/k1', 'from/hub/to/jobs/k2']
  const samples = samplesOf(
    ['POST /from/hub/to/mails', { status: 201, body: {} }],
    ['POST /from/hub/to/jobs', { status: 201, body: {} }],
    ['GET /from/hub/to/mails/k1', { response: { key: 'k1' } }],
    ['GET /from/hub/to/jobs/k2', { response: { key: 'k2' } }],
  ).map((each, at) => {
    const location = locations[at]
    return location === undefined ? each : { ...each, responseHeaders: { location } }
  })
  expect(withEffects(samples).map(({ response }) => response)).toEqual(
    ['k1', 'k2', 'k1', 'k2'].map((key) => ({ key })),
  )
})

it('shows of a POST what the next list has of what its location names', () => {
  const made = (at: number, id: string) => ({
    ...samplesOf(['POST /users', { status: 201, body: { email: `${id}@example.com` } }])[0]!,
    ...{ index: at, responseHeaders: { location: `http://api.example.com/users/${id}` } },
  })
  const user = (id: string, name: string | null = null) => ({ uid: id, email: `${id}@example.com`, name })
  const samples = [
    ...[made(0, 'a7'), made(1, 'b8'), made(2, 'c9')],
    ...samplesOf(
      ['PATCH /users/b8', { status: 204, body: { name: 'Bo' } }],
      ['GET /users', { response: { all: [user('a7'), user('b8', 'Bo')] } }],
      ['GET /users', { response: { all: [] } }],
    ).map((each) => ({ ...each, index: each.index + 3 })),
  ]
  const shown = withEffects(samples).map(({ response, isEmpty }) => (isEmpty ? response : undefined))
  const none = undefined
  expect(shown).toEqual([user('a7'), none, none, user('b8', 'Bo'), none, none])
})

it('stores what is put where answers have no body', () => {
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ...['ann', 'bob'].flatMap((name) => [
          [`PUT /users/${name}`, { status: 201, body: { tags: 'x' } }] as const,
          [`GET /users/${name}`, { response: { name, tags: 'x' } }] as const,
        ]),
        ['DELETE /users/ann', { status: 204 }],
        ['GET /users/ann', { status: 404, response: { error: 'gone' } }],
      ),
    ),
  )
  expect(document).toMatchObject({
    options: { stateful: true },
    routes: { 'PUT /users/{name}': { status: 201, empty_body: true, keeps_sent: true } },
  })
  expect(document).not.toHaveProperty('store')
})
