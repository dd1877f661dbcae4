import { findPlace, pick, type Act, type Draw, type Walkable } from './place.ts'
import { READS } from './reads.ts'
import { WRITES } from './writes.ts'

/** What a walk found wrong: a rule that does not hold, where, and the requests that show it. */
export interface Finding {
  readonly rule: string
  readonly at: string
  readonly what: string
  readonly requests: readonly string[]
}

/** One walk of so many steps. Each step goes somewhere by what was seen before, and checks what it sees. */
export async function walk(
  world: Walkable,
  steps: number,
  draw: Draw,
): Promise<{ findings: Finding[]; checks: number }> {
  const findings: Finding[] = []
  let checks = 0
  const { collections, client } = world
  for (let step = 0; step < steps; step++) {
    const collection = pick(collections, draw)
    if (collection === undefined) break
    client.taken()
    const step = { world, draw, place: await findPlace(world, collection, draw) }
    if (step.place === undefined) continue
    const act = pick(world.writes ? [...READS, ...WRITES] : READS, draw) as Act
    const wrong = await act({ ...step, place: step.place })
    checks++
    if (wrong !== undefined)
      findings.push({ rule: wrong[0], at: collection.item.name, what: wrong[1], requests: client.taken() })
  }
  return { findings, checks }
}
