import { describe, expect, it } from 'vitest'
import { within } from '../../src/cli/options.ts'
import { whole } from '../../src/cli/whole.ts'
import { UsageInvalid } from '../../src/errors.ts'

describe('numbers of options', () => {
  it('are whole and not negative', () => {
    expect([whole('seed', 0), whole('port', 65_535, 65_535)]).toEqual([0, 65_535])
    for (const value of [-1, 0.5, Number.NaN, Infinity])
      expect(() => whole('seed', value)).toThrow(UsageInvalid)
    expect(() => whole('port', 70_000, 65_535)).toThrow('--port must be a whole number from 0 to 65535')
  })

  it('lie within bounds, where they are given', () => {
    expect([within('rate', undefined, 0, 1), within('rate', 0.5, 0, 1)]).toEqual([undefined, 0.5])
    expect(() => within('rate', 2, 0, 1)).toThrow('--rate must be a number from 0 to 1')
    expect(() => within('ms', -1, 0, Infinity)).toThrow('--ms must be a number of 0 or more')
    expect(() => within('ms', Number.NaN, 0, Infinity)).toThrow(UsageInvalid)
  })
})
