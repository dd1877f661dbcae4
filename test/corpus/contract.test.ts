import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { createAsking, forAll, type Asking } from './ask.ts'
import { DESCRIPTIONS, fileOf } from './descriptions.ts'
import { operationsOf } from './operations.ts'
import { readDocument } from './read-document.ts'
import { createRequests, type Extent } from './request.ts'
import { createSchemas } from './schemas.ts'

interface Coverage {
  readonly totals: { readonly operations: { readonly seen: number; readonly total: number } }
  readonly operations: readonly {
    readonly operation: string
    readonly requests: number
    readonly broken: readonly { readonly [part: string]: unknown }[]
  }[]
}

/** Of a description with more operations, only some are requested: all by SIM_CONTRACT_OPERATIONS=10000. */
const MOST = Number(process.env['SIM_CONTRACT_OPERATIONS'] ?? 100)

const TIME = { timeout: 300_000 }

// Requests that another program made of the description, and answers that were made of it, keep the contract.
describe.for(DESCRIPTIONS)('$name', (description) => {
  const document = readDocument(description)
  const { unsimulated } = description
  const all = operationsOf(document).filter(({ name }) => !(name in unsimulated))
  const every = Math.ceil(all.length / MOST)
  const operations = all.filter((_, index) => index % every === 0)
  const requestOf = createRequests(createSchemas(document, 'request'))
  let sim: SimServer
  let asking: Asking

  beforeAll(async () => {
    sim = await startSim(['run', fileOf(description), '--seed', '1', '--check', 'report'])
    asking = createAsking(sim.url)
  })
  afterAll(async () => {
    await asking.close()
    await sim.stop()
  })

  it.for(['required', 'everything'] as const)('has no violation, given %s', TIME, async (extent: Extent) => {
    await fetch(`${sim.url}/__sim/coverage`, { method: 'DELETE' })
    await forAll(operations, async (operation) => {
      try {
        await asking.ask(requestOf(operation, extent))
      } catch {
        // Some cannot be requested at all.
      }
    })
    const coverage = (await (await fetch(`${sim.url}/__sim/coverage`)).json()) as Coverage
    const { seen } = coverage.totals.operations
    const total = operations.length
    const broken = coverage.operations.filter((each) => each.broken.length > 0)
    process.stdout.write(
      `${description.name}, given ${extent}: ${seen} of ${total} operations checked, ${broken.length} with violations\n`,
    )
    const unexpected = broken.filter(({ operation }) => !(operation in unsimulated))
    expect(unexpected.map(({ operation, broken: [first] }) => [operation, first])).toEqual([])
    expect(seen).toBeGreaterThan(0.9 * total)
  })
})
