import { describe, expect, it } from 'vitest'
import { describeColumn } from '../../src/sql/result.ts'

describe('columns', () => {
  it.for([
    { type: 'INT', described: { type_name: 'INT', type_text: 'INT' } },
    { type: 'bigint', described: { type_name: 'LONG', type_text: 'bigint' } },
    { type: 'SMALLINT', described: { type_name: 'SHORT', type_text: 'SMALLINT' } },
    { type: 'TINYINT', described: { type_name: 'BYTE', type_text: 'TINYINT' } },
    {
      type: 'DECIMAL(38, 18)',
      described: { type_name: 'DECIMAL', type_text: 'DECIMAL(38, 18)', type_precision: 38, type_scale: 18 },
    },
    {
      type: 'DECIMAL',
      described: { type_name: 'DECIMAL', type_text: 'DECIMAL', type_precision: 10, type_scale: 0 },
    },
    { type: 'STRUCT<a: INT>', described: { type_name: 'STRUCT', type_text: 'STRUCT<a: INT>' } },
    {
      type: 'INTERVAL YEAR TO MONTH',
      described: {
        type_name: 'INTERVAL',
        type_text: 'INTERVAL YEAR TO MONTH',
        type_interval_type: 'YEAR TO MONTH',
      },
    },
    { type: 'GEOGRAPHY', described: { type_name: 'USER_DEFINED_TYPE', type_text: 'GEOGRAPHY' } },
  ])('of type $type are described', ({ type, described }) => {
    expect(describeColumn({ name: 'c', type }, 3)).toEqual({ name: 'c', position: 3, ...described })
  })
})
