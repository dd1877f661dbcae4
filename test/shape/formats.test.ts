import { describe, expect, it } from 'vitest'
import { formatsOf } from '../../src/shape/formats.ts'

describe('text formats', () => {
  it.for([
    ['2026-01-31T10:00:00Z', 'date-time'],
    ['2026-01-31t10:00:00.123+02:00', 'date-time'],
    ['2026-19-31T10:00:00Z', ''],
    ['2026-01-31T24:00:00Z', ''],
    ['2026-01-31', 'date'],
    ['2028-02-29', 'date'],
    ['2026-02-30', ''],
    ['018f3c1e-7b1a-7c3e-9f00-0123456789ab', 'uuid'],
    ['ada@example.com', 'email'],
    ['ada@example', ''],
    ['https://example.com/a?b=1', 'uri'],
    ['a://[#', ''],
    ['10.0.0.255', 'ipv4'],
    ['10.0.0.256', ''],
    ['10.0.0.1.', ''],
    ['1.2.3', ''],
    ['hello', ''],
  ])('takes %s for %j', ([text = '', format]) => {
    expect([...formatsOf(text)].join()).toBe(format)
  })
})
