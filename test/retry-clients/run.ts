import type { RetryClient } from '../resilience/reference-clients.ts'
import { chaosReport } from '../../src/resilience/report.ts'
import { journalOf, type Traffic } from '../resilience/scenario.ts'

const TRAFFIC: readonly Traffic[] = ['at once, apart', 'at once, alike']
const CALLS = 30

type Client = RetryClient & { readonly headers?: Readonly<Record<string, string>> }

// Its packages are installed apart.
const file: string = './clients.js'
const { HELD_OUT } = (await import(file)) as { readonly HELD_OUT: readonly Client[] }
// Some libraries keep the errors of calls that nobody waits for.
process.on('unhandledRejection', () => undefined)
for (const traffic of TRAFFIC) {
  let right = 0
  for (const client of HELD_OUT.slice(Number(process.env['SIM_RETRY_CLIENTS_FROM'] ?? 0))) {
    const { headers } = client
    const entries = await journalOf(client, {
      traffic,
      calls: CALLS,
      rate: 0.7,
      seed: 5,
      ...(headers && { headers }),
    })
    const [found] = chaosReport({ entries }).clients
    const isRight = found?.behaviour === client.behaviour
    if (isRight) right++
    const waits = found?.backoff.waits_ms.map(({ median }) => median).join(' ')
    const mark = isRight ? 'right' : 'WRONG'
    process.stdout.write(
      `${mark}  ${client.name}: ${client.behaviour}, found ${found?.behaviour}, ${found?.retries} of ${entries.length - CALLS} retries; ${waits}\n`,
    )
  }
  process.stdout.write(`calls ${traffic}: ${right} of ${HELD_OUT.length}\n`)
}
process.exit()
