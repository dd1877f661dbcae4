import { createAdapter, type AdapterConfig } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { OptionInvalid } from '../../src/errors.ts'
import { notes } from './notes-adapter.ts'

describe('the configuration of an adapter', () => {
  it.for([
    [{ seed: 1.5 }, 'seed must be a whole number'],
    [{ auth: 'loose' }, 'auth must be one of disabled, optional, strict, not "loose"'],
    [{ auth: { mode: 'loose' } }, 'auth must be one of'],
    [{ stateful: 'yes' }, 'stateful must be true or false'],
    [{ strict: 1 }, 'strict must be true or false'],
    [{ consistency: 'ignore' }, 'consistency must be one of reject, continue'],
    [{ clock: 'fast' }, 'clock must be one of still, running'],
    [{ isolate: 'user' }, 'isolate must be one of token'],
    [{ cors: 'https://page.example' }, 'cors must be true, false or a list of origins'],
    [{ cors: [1] }, 'cors must be true, false or a list of origins'],
    [{ startAt: 'tomorrow' }, "startAt must be a moment in time, not 'tomorrow'"],
    [{ rateLimit: { requests: -1, windowSeconds: 1 } }, 'rateLimit must be'],
    [{ rateLimit: [{ requests: 1, windowSeconds: 0 }] }, 'rateLimit must be'],
    [{ faults: [{ status: 99 }] }, 'A fault rule cannot be'],
  ] as const)('cannot be %j', ([config, message]) => {
    const make = () => createAdapter(notes, config as unknown as AdapterConfig)
    expect(make).toThrow(OptionInvalid)
    expect(make).toThrow(message)
  })

  it.for([new Date('2020-02-02'), '2020-02-02', Date.parse('2020-02-02')])('may begin at %s', (startAt) => {
    expect(createAdapter(notes, { startAt }).clock.now()).toBe(Date.parse('2020-02-02'))
  })
})
