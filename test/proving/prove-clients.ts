import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startSim } from '../flow/sim-process.ts'
import type { Note, Proving } from './bars.ts'
import { isSameBody } from './likeness.ts'
import { withRecorded } from './record-system.ts'
import { createRelay, type Relay } from './relay.ts'
import { fidelityOfClient } from './scores.ts'
import { type Played, play } from './system.ts'

/** Clients at the same time are recorded, and replayed in that order and one after the other from the last to the first. */
export async function proveClients(proving: Proving, note: Note): Promise<number> {
  const { name, directory, system, onProgress } = proving
  const { clients = [] } = system
  const relays = await Promise.all(clients.map(() => createRelay()))
  let runs = 0
  const playOne = (index: number, target: string): Promise<Played> => {
    const own = join(directory, `client-${index}-${runs++}`)
    mkdirSync(own)
    return play(
      relays[index] as Relay,
      target,
      (base, check) => clients[index]?.(base, check, own) ?? Promise.resolve(),
    )
  }
  try {
    onProgress(`${name}: records ${clients.length} clients at the same time`)
    const recorded = await withRecorded(proving, 'clients', relays[0] as Relay, async (target, server) => ({
      server: server.url,
      played: await Promise.all(clients.map((_, index) => playOne(index, target))),
    }))
    // Clients that send the very same may get the answers of each other.
    const others = recorded.played.flatMap(({ exchanges }) => exchanges)
    const all = others.length
    const orders = {
      'at the same time': (target: string) => Promise.all(clients.map((_, index) => playOne(index, target))),
      'the last first': async (target: string) => {
        const played: Played[] = []
        for (const index of clients.keys()) played.unshift(await playOne(clients.length - 1 - index, target))
        return played
      },
    }
    const why: string[] = []
    let same = 0
    for (const [order, run] of Object.entries(orders)) {
      onProgress(`${name}: replays the clients, ${order}`)
      const gateway = await startSim(['proxy', '--mode', 'replay', '--recording', join(directory, 'clients')])
      const again = await run(gateway.url)
      await gateway.stop()
      again.forEach((played, index) => {
        const real = recorded.played[index] as Played
        const gateway = relays[index]?.url ?? ''
        const own = fidelityOfClient(real.exchanges, played.exchanges, others, (one, other) =>
          isSameBody(one.body, other.body, recorded.server, gateway),
        )
        same += own.same
        const failed = played.checks.filter(({ ok }) => !ok)
        why.push(
          ...[...own.missed, ...own.differing].map((each) => `${order}, client ${index + 1}: ${each}`),
          ...failed.map((each) => `${order}, client ${index + 1}: check ${each.name}: ${each.failure}`),
        )
      })
    }
    const failures = recorded.played.flatMap(({ checks }) => checks.filter(({ ok }) => !ok))
    why.push(...failures.map((each) => `while it was recorded: check ${each.name}: ${each.failure}`))
    note('other order', `${same}/${2 * all}`, why.length === 0, why)
    return all
  } finally {
    await Promise.all(relays.map((each) => each.close()))
  }
}
