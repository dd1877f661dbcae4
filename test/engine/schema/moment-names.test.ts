import { expect, it } from 'vitest'
import { lifeEventOf } from '../../../src/engine/schema/moment-names.ts'

it.each([
  ['created_at', 'made', false],
  ['dateCreated', 'made', false],
  ['creationTimestamp', 'made', false],
  ['createTime', 'made', false],
  ['last_modified', 'changed', false],
  ['updateTime', 'changed', false],
  ['deleteTime', 'ended', false],
  ['updatedOn', 'changed', false],
  ['closed_at', 'ended', false],
  ['updated', 'changed', true],
])('%s is when a thing was %s', (name, event, isAlone) => {
  expect(lifeEventOf(name)).toEqual({ event, isAlone })
})

it.each(['created_by', 'expires_at', 'last_login_at', 'creation_count', 'name'])(
  '%s is no such moment',
  (name) => {
    expect(lifeEventOf(name)).toBe(undefined)
  },
)
