import { describe, expect, it } from 'vitest'
import { chaosReport } from '../../src/resilience/report.ts'
import { REFERENCE_CLIENTS } from './reference-clients.ts'
import { journalOf, type Traffic } from './scenario.ts'

const TRAFFIC: readonly Traffic[] = ['at once, apart', 'at once, alike']

// They need a machine that does little else: `npm run resilience`.
describe.skipIf(process.env['SIM_RESILIENCE'] === undefined).each(TRAFFIC)('of calls %s', (traffic) => {
  it.each(REFERENCE_CLIENTS)('$name is found to be $behaviour', async (client) => {
    const ignores = client.behaviour === 'header-ignoring'
    const entries = await journalOf(client, {
      ...{ traffic, calls: 30, rate: 0.7 },
      ...(ignores && { headers: { 'retry-after': '1' } }),
    })
    const { clients } = chaosReport({ entries })
    expect(clients).toMatchObject([{ behaviour: client.behaviour }])
    if (traffic === 'at once, apart')
      expect(clients).toMatchObject([{ calls: 30, retries: entries.length - 30 }])
  })
})
