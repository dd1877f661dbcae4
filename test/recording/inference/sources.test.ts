import { expect, it } from 'vitest'
import { isScalar, sourcesOf } from '../../../src/recording/inference/sources.ts'
import { sample } from './samples.ts'

it('has the scalars of path, query, body and telling headers', () => {
  const asked = sample(
    0,
    'POST /users/7?a=1',
    { body: { name: 'x', tags: ['y'] } },
    { 'x-t': 'z', accept: '*' },
  )
  expect(sourcesOf(asked, { id: '7' })).toEqual([
    [{ in: 'path', name: 'id' }, '7'],
    [{ in: 'query', name: 'a' }, '1'],
    [{ in: 'body', name: 'name' }, 'x'],
    [{ in: 'header', name: 'x-t' }, 'z'],
  ])
})

it('takes texts, numbers and truth values for scalars', () => {
  expect(['', 0, false, null, [], {}].map(isScalar)).toEqual([true, true, true, false, false, false])
})
