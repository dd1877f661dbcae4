import { expect, it } from 'vitest'
import { foldPaths } from '../../../src/recording/inference/fold-paths.ts'
import { findMentions } from '../../../src/recording/inference/values.ts'
import { findResources, type Resource } from '../../../src/recording/inference/resources.ts'
import { sample, samplesOf } from './samples.ts'

function resourcesOf(
  ...entries: readonly (readonly [string, Parameters<typeof sample>[2]])[]
): readonly Resource[] {
  const samples = samplesOf(...entries)
  return findResources(foldPaths(samples, findMentions(samples)))
}

it('sees what was there, what was made and what is gone', () => {
  const [resource, ...others] = resourcesOf(
    ['GET /users', { response: [{ id: 1, name: 'Ada' }] }],
    ['POST /users', { status: 201, response: { id: 2, name: 'Bo' } }],
    ['GET /users/2', { response: { id: 2, name: 'Bo' } }],
    ['DELETE /users/1', { response: {} }],
    ['GET /users/1', { status: 404 }],
  )
  expect(others).toEqual([])
  expect(resource).toMatchObject({
    path: '/users/{id}',
    place: { answer: [], body: [], id: ['id'] },
    confirmed: 2,
    contradicted: 0,
  })
  expect([...(resource?.seeds ?? [])]).toEqual([['/users', [{ id: 1, name: 'Ada' }]]])
})

it('sees when answers do not remember', () => {
  const [resource] = resourcesOf(
    ['GET /users/1', { response: { id: 1, name: 'Ada', at: 1 } }],
    ['GET /users/2', { response: { id: 2, name: 'Cy', at: 2 } }],
    ['GET /users/1', { response: { id: 1, name: 'Bo', at: 3 } }],
    ['DELETE /users/2', { status: 204 }],
    ['GET /users/2', { response: { id: 2, name: 'Cy', at: 2 } }],
  )
  expect(resource).toMatchObject({ confirmed: 0, contradicted: 2 })
})

it('takes no path for a collection whose answers do not hold the id', () => {
  expect(
    resourcesOf(['GET /users/1', { response: { a: 9 } }], ['GET /users/2', { response: { a: 9 } }]),
  ).toEqual([])
})
