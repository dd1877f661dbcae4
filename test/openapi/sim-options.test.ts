import { describe, expect, it } from 'vitest'
import { ErrorCase } from '../../src/engine/error-case.ts'
import { list } from '../../src/engine/schema/list.ts'
import { operationOf } from './documents.ts'

describe('simOptionsOf', () => {
  it('names the options that are data as data files do', () => {
    const fields = { properties: { status: { type: 'string' }, n: { type: 'integer' } } }
    const operation = operationOf('GET', '/x', {
      input: fields,
      output: list(fields),
      listCount: 'n',
      errorRate: 0.1,
      errorCodes: [503],
      latencyMs: 50,
      jitterMs: 10,
      rateLimit: 20,
      filterBy: 'status',
      seedFrom: 'n',
      scenario: [{ status: 503, detail: 'busy' }, { status: 200 }],
    })
    expect(operation['x-sim-options']).toEqual({
      list_count: 'n',
      error_rate: 0.1,
      error_codes: [503],
      latency_ms: 50,
      jitter_ms: 10,
      rate_limit: 20,
      filter_by: 'status',
      seed_from: 'n',
      scenario: [{ status: 503, detail: 'busy' }, { status: 200 }],
    })
  })

  it('tells only those that were set', () => {
    expect(operationOf('GET', '/x', { errorRate: 0 })['x-sim-options']).toEqual({ error_rate: 0 })
    const errors = [ErrorCase({ when: () => true, status: 400 })]
    expect(operationOf('GET', '/x', { errors, bearerTokens: ['t'] })).not.toHaveProperty('x-sim-options')
  })
})
