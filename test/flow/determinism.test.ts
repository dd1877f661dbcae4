import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startSim } from './sim-process.ts'

const SHOP = resolve(import.meta.dirname, '../../dist/examples/shop.js')
const PATHS = Array.from({ length: 50 }, (_, index) => `/users?name=user-${index}`)

describe('content', () => {
  it('is the same bytes in two processes, under 50 concurrent requests in shuffled order', async () => {
    const [first, second] = await Promise.all([bodiesOf(PATHS, 42), bodiesOf(PATHS.toReversed(), 42)])
    expect(first.size).toBe(50)
    expect([...first].toSorted()).toEqual([...second].toSorted())
    expect(new Set(first.values()).size).toBe(50)
  })

  it('differs under another seed', async () => {
    const [first, second] = await Promise.all([bodiesOf(PATHS, 42), bodiesOf(PATHS, 43)])
    for (const path of PATHS) expect(first.get(path)).not.toBe(second.get(path))
  })
})

async function bodiesOf(paths: readonly string[], seed: number): Promise<ReadonlyMap<string, string>> {
  const sim = await startSim(['run', SHOP, '--seed', String(seed)])
  try {
    const bodies = await Promise.all(
      paths.map(async (path): Promise<[string, string]> => {
        const bytes = Buffer.from(await (await fetch(`${sim.url}${path}`)).arrayBuffer())
        return [path, createHash('sha256').update(bytes).digest('hex')]
      }),
    )
    return new Map(bodies)
  } finally {
    await sim.stop()
  }
}
