import { expect, it } from 'vitest'
import { findComputed } from '../../../src/recording/inference/computed-fields.ts'

const around = (ids: readonly number[], url: (id: number) => string): ReturnType<typeof findComputed> =>
  findComputed(
    ids.map((id) => ({ id, url: url(id) })),
    'id',
  )

it('finds texts around ids, also where a host has the number of one', () => {
  const computedFrom = { fields: ['id'], template: 'http://127.0.0.1/users/{id}/' }
  expect(around([1, 2, 12], (id) => `http://127.0.0.1/users/${id}/`)).toEqual([
    { field: 'url', link: { computedFrom } },
  ])
  const [both] = around([1, 2], (id) => `/users/${id}#${id}`)
  expect(both?.link).toEqual({ computedFrom: { fields: ['id'], template: '/users/{id}#{id}' } })
})

it('finds none where one item shows it, or other texts stand around an id', () => {
  expect(around([1], (id) => `/users/${id}`)).toEqual([])
  expect(around([1, 2], (id) => (id === 1 ? `/users/${id}` : `/people/${id}`))).toEqual([])
  expect(around([1, 2], (id) => `/users/${id}0`)).toEqual([])
})
