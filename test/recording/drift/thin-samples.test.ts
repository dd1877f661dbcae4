import { expect, it } from 'vitest'
import { createThinSamples } from '../../../src/recording/drift/thin-samples.ts'
import { sample } from '../inference/samples.ts'

const NOTHING = { origin: '', query: {}, headers: {}, responseHeaders: {}, mimeType: '' }

it('keeps the form of answers, and where they mention segments of paths', () => {
  const thin = createThinSamples(new Set(['users', 'ann', '7']))
  const response = { z: 'ann', a: 'secret', b: 1, c: { deep: 7 }, e: [{ login: 'ann' }, { login: 'x' }] }
  thin.add(sample(5, 'GET /users/ann?x=1', { response, body: { y: 1 } }, { accept: '*/*' }))
  thin.add(sample(6, 'GET /users/ann', { response }))
  thin.add(sample(7, 'GET /users', { response: [{ name: 'ann' }] }))
  thin.add(sample(8, 'GET /users/7', { response: { code: '7' }, status: 404 }))
  expect(thin.samples).toEqual([
    {
      ...NOTHING,
      index: 0,
      method: 'GET',
      segments: ['users', 'ann'],
      status: 200,
      response: { a: null, b: null, c: null },
    },
    { ...NOTHING, index: 1, method: 'GET', segments: ['users'], status: 200, response: [{ name: null }] },
    { ...NOTHING, index: 2, method: 'GET', segments: ['users', '7'], status: 404, response: { code: null } },
  ])
  const { mentions } = thin
  expect([...mentions.fieldsOf('ann', new Set())]).toEqual(['z', 'login', 'name'])
  expect([...mentions.fieldsOf('ann', new Set([0]))]).toEqual(['name'])
  expect([...mentions.fieldsOf('7', new Set())]).toEqual(['deep'])
  expect([...mentions.fieldsOf('secret', new Set())]).toEqual([])
})
