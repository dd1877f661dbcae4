import { SimAPI } from '../../src/api.ts'
import type { ChaosOptions } from '../../src/engine/chaos-rule.ts'
import { createGateway } from '../../src/gateway.ts'
import type { AttemptEntry } from '../../src/resilience/attempts.ts'
import { entriesIn } from '../../src/resilience/read-run.ts'
import type { RetryClient } from './reference-clients.ts'

/** How calls are made. */
export type Traffic = 'one after another' | 'at once, alike' | 'at once, apart' | 'by workers, alike'

/** What a client does, and what the server answers. */
export interface Scenario {
  readonly traffic: Traffic
  readonly calls: number
  /** Share of requests that fail. */
  readonly rate: number
  readonly seed?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Has a client make its calls, and resolves with the journal as the control plane has it. */
export async function journalOf(
  { call }: Pick<RetryClient, 'call'>,
  scenario: Scenario,
): Promise<readonly AttemptEntry[]> {
  const { traffic, calls, rate, seed = 7, headers } = scenario
  const errors = { rate, codes: [503], ...(headers && { answers: { 503: { headers, text: 'busy' } } }) }
  const chaos: ChaosOptions = { rules: [{ name: 'busy', errors }] }
  const api = new SimAPI({ seed }).get('/orders', { output: { const: [1, 2, 3] } })
  const app = createGateway({ ...api.gatewayOptions(), chaos, sessions: { journal: 20_000 } })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const one = async (query = ''): Promise<void> => {
    await call(`${url}/orders${query}`).catch(() => undefined)
  }
  if (traffic === 'one after another') for (let index = 0; index < calls; index++) await one()
  else if (traffic === 'by workers, alike')
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let index = 0; index < calls / 8; index++) await one()
      }),
    )
  else
    await Promise.all(
      Array.from({ length: calls }, (_, index) => one(traffic === 'at once, apart' ? `?id=${index}` : '')),
    )
  const response = await fetch(`${url}/__sim/requests?limit=20000`)
  const entries = await response.text()
  await app.close()
  return entriesIn(JSON.parse(entries), 'the journal').toReversed()
}
