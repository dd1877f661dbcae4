import { expect, it } from 'vitest'
import type { Schema } from '../../../src/engine/schema/schema.ts'
import { fittingValuesOf } from './generating.ts'

const moment: Schema = { type: 'string', format: 'date-time' }
const day: Schema = { type: 'string', format: 'date' }
const orNull: Schema = { type: ['string', 'null'], format: 'date-time' }
const valuesOf = (properties: Record<string, Schema>): Record<string, string | null>[] =>
  fittingValuesOf({ type: 'object', required: Object.keys(properties), properties }, 50)

it.each([
  ['created_at', 'updated_at'],
  ['createTime', 'updateTime'],
  ['creationDate', 'modificationDate'],
  ['createTime', 'expireTime'],
  ['start_date', 'end_date'],
])('%s is never after %s', (low, high) => {
  for (const value of valuesOf({ [high]: moment, [low]: moment }))
    expect([value[low], value[high]]).toEqual([value[low], value[high]].toSorted())
})

it.each([
  [day, moment],
  [moment, day],
  [moment, orNull],
  [orNull, day],
])('moments have an order where one is a day, or need not be there', (first, last) => {
  for (const { created, last_updated } of valuesOf({ created: first, last_updated: last }))
    if (created !== null && last_updated !== null)
      expect(
        Date.parse(created ?? '') <= Date.parse(last_updated ?? '') || isSameDay(created, last_updated),
      ).toBe(true)
})

function isSameDay(one = '', other = ''): boolean {
  return one.slice(0, '2026-01-01'.length) === other.slice(0, '2026-01-01'.length)
}
