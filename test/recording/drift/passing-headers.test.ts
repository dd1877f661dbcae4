import { expect, it } from 'vitest'
import { isPassing } from '../../../src/recording/drift/passing-headers.ts'

it('knows headers that tell nothing of an API', () => {
  for (const name of [
    'date',
    'x-request-id',
    'request-id',
    'cf-ray',
    'x-ratelimit-remaining',
    'content-length',
  ])
    expect([name, isPassing(name)]).toEqual([name, true])
  for (const name of ['x-version', 'x-total-count', 'deprecation', 'x-id'])
    expect([name, isPassing(name)]).toEqual([name, false])
})
