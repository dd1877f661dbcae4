import { serverFile, sim } from '../harness/commands.ts'
import { compare, type Contender, type Rounds } from '../harness/compare.ts'
import { figureOf, rowOf, type Row } from '../harness/figures.ts'
import type { ServerCommand } from '../harness/server.ts'
import type { Suite } from './suite.ts'

const APP = serverFile('sim-app.mjs')
const ONE = anywhere(sim('sim, one worker', 'run', APP, '--answer-cache-bytes', '0'))
const TWO = anywhere(sim('sim', 'run', APP, '--answer-cache-bytes', '0', '--workers', '2'))

/**
 * Two workers against one. Where the load generator needs a core for itself, two of them cannot answer twice as much, so
 * that the CPU that an answer takes is what counts.
 */
export const workers: Suite = {
  name: 'workers',
  describe: 'two workers against one: CPU for an answer, answers, and what the load generator takes',
  async measure() {
    const [two, one] = await compare([TWO, ONE].map(asking))
    if (two === undefined || one === undefined) return []
    const failure = two.failure ?? one.failure
    const row = (what: string, unit: string, of: (rounds: Rounds) => readonly number[]): Row => ({
      ...rowOf({
        work: `ten generated objects, --workers 2: ${what}`,
        contender: ONE.name,
        unit,
        ours: figureOf(of(two)),
        theirs: figureOf(of(one)),
      }),
      ...(failure !== undefined && { failure }),
    })
    return [
      { ...row('CPU for an answer', 'µs', ({ cpuMicros }) => cpuMicros), target: { atMost: 1.1 } },
      row('answers', 'req/s', ({ rounds }) => rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
      row('cores that the load takes', 'cores', ({ rounds }) => rounds.map(({ cores }) => cores)),
    ]
  },
}

// On whatever core is free.
function anywhere(command: ServerCommand): ServerCommand {
  return { ...command, core: null }
}

function asking(server: ServerCommand): Contender {
  return {
    server,
    request: { path: '/users' },
    check(body) {
      const users = JSON.parse(body.toString()) as unknown
      if (!Array.isArray(users) || users.length !== 10) throw new Error('it is not a list of ten')
    },
  }
}
