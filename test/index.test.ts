import { describe, expect, it } from 'vitest'
import * as surface from '../src/index.ts'
import * as errors from '../src/errors.ts'

const NAMES = [
  ...[
    'ComputedFrom',
    'DateRangeFrom',
    'ErrorCase',
    'FromCookie',
    'FromFaker',
    'FromHeader',
    'FromInput',
    'FromItem',
    'FromJsonFixture',
  ],
  ...[
    'FromNestedFixture',
    'FromUser',
    'KEEP',
    'PageParams',
    'PageSlice',
    'PageTable',
    'Paged',
    'PaginatedResponse',
    'ScenarioStep',
  ],
  ...['SimAPI', 'WhenInput', 'createGateway', 'defineLink', 'list', 'registerLink', 'runRepro'],
]

describe('the package', () => {
  it('exports these names and every error class, and nothing else', () => {
    expect(Object.keys(surface).toSorted()).toEqual([...NAMES, ...Object.keys(errors)].toSorted())
  })

  it('gives every error a name of its own, a stable code and a status', () => {
    const source = Object.entries(errors).filter(([name]) => name !== 'SimError')
    for (const [name, constructor] of source) {
      const error = new (constructor as new (...args: unknown[]) => errors.SimError)([], [], [])
      expect([error.name, /^SIM_[A-Z_]+$/.test(error.code), errors.SimError.is(error)]).toEqual([
        name,
        true,
        true,
      ])
    }
  })
})
