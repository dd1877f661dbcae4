import { script, serverFile, sim } from '../harness/commands.ts'
import { figureOf, rowOf, type Row } from '../harness/figures.ts'
import { startServer, type ServerCommand } from '../harness/server.ts'
import type { Suite } from './suite.ts'

const ROUNDS = 7

/** Start-up and memory against bare Fastify. */
export const start: Suite = {
  name: 'start',
  describe: 'start to the first answer, and memory at idle, with twenty routes',
  async measure() {
    const [ours, theirs] = [
      sim('sim', 'run', serverFile('sim-twenty.mjs')),
      script('bare Fastify, 20 routes', 'bare-twenty.mjs'),
    ]
    const measured = new Map<string, { starts: number[]; memory: number[] }>()
    for (let round = 0; round < ROUNDS; round++) {
      for (const command of [ours, theirs]) {
        const seen = measured.get(command.name) ?? { starts: [], memory: [] }
        measured.set(command.name, seen)
        await measureOnce(command, seen)
      }
    }
    const of = (name: string, what: 'starts' | 'memory'): readonly number[] =>
      measured.get(name)?.[what] ?? []
    const row = (work: string, what: 'starts' | 'memory', unit: string, most: number): Row => ({
      ...rowOf({
        work,
        contender: theirs.name,
        unit,
        ours: figureOf(of(ours.name, what)),
        theirs: figureOf(of(theirs.name, what)),
      }),
      target: { atMost: most },
    })
    return [
      row('start to listening, 20 declared routes', 'starts', 'ms', 2.5),
      row('memory at idle, 20 declared routes', 'memory', 'MiB', 2),
    ]
  },
}

async function measureOnce(
  command: ServerCommand,
  seen: { starts: number[]; memory: number[] },
): Promise<void> {
  const server = await startServer({ ...command, core: null })
  seen.starts.push(server.startMs)
  seen.memory.push(server.memory())
  await server.stop()
}
