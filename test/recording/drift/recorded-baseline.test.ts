import { expect, it } from 'vitest'
import { recordedBaseline } from '../../../src/recording/drift/recorded-baseline.ts'
import { sample, samplesOf } from '../inference/samples.ts'

const answers = [1, 2, 3].map((id) => [`GET /users/${id}`, { response: { id, minimum: id } }] as const)

it('knows routes, statuses and media types of what was recorded', async () => {
  const find = await recordedBaseline(() => samplesOf(...answers, ['GET /users/9', { status: 404 }]))
  const found = find(sample(0, 'GET /users/77'))
  expect(found).toMatchObject({ name: 'GET /users/{id}', statuses: [200, 404] })
  expect(found?.answer(200)?.types).toEqual(['application/json'])
  expect(found?.answer(500)).toBeUndefined()
  expect(find(sample(0, 'GET /else'))).toBeUndefined()
})

it('learns from what is compared which segments are values', async () => {
  const known = samplesOf(['GET /users/1', { response: { id: 1 } }])
  const [seen] = samplesOf(['GET /users/2', { response: { id: 2 } }])
  const find = await recordedBaseline(
    () => known,
    () => [seen] as never,
  )
  expect(find(sample(0, 'GET /users/2'))).toMatchObject({ name: 'GET /users/{id}', statuses: [200] })
})

it('bounds no number by what was seen', async () => {
  const find = await recordedBaseline(() => samplesOf(...answers))
  const compare = find(sample(0, 'GET /users/1'))?.answer(200)?.compare
  expect(compare?.({ id: 10 ** 9, minimum: -1 })).toEqual([])
  expect(compare?.({ id: 1 })).toMatchObject([{ change: 'field removed', pointer: '/minimum' }])
})

it('takes one API at two hosts for one', async () => {
  const [first, second] = samplesOf(['GET /a', { response: { x: 1 } }], ['GET /a', { response: { x: 'y' } }])
  const find = await recordedBaseline(
    () => [first, { ...second, origin: 'http://other.example.com' }] as never,
  )
  expect(find(sample(0, 'GET /a'))?.answer(200)?.compare?.({ x: 'z' })).toEqual([])
})
