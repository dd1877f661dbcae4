import { serverFile, sim } from '../harness/commands.ts'
import { compare, type Contender } from '../harness/compare.ts'
import { figureOf, intervalOf, rowOf, type Row } from '../harness/figures.ts'
import type { ServerCommand } from '../harness/server.ts'
import type { Suite } from './suite.ts'

const APP = serverFile('sim-app.mjs')
const ROUNDS = 9
const server = (name: string): ServerCommand => sim(name, 'run', APP, '--answer-cache-bytes', '0')

/** What somebody who looks costs: CPU for an answer with a reader of the requests as they end, and without one. */
export const watched: Suite = {
  name: 'watched',
  describe: 'a reader of the requests as they end, and one that has whole exchanges kept, against none',
  async measure() {
    const rows: Row[] = []
    for (const [work, query] of [
      ['with a reader of its requests', ''],
      ['with an open page', '?details=true'],
    ] as const) {
      const [read, plain] = await compare(
        [contender('sim, read', query), contender('sim, not read', undefined)],
        ROUNDS,
      )
      if (read === undefined || plain === undefined) continue
      const failure = read.failure ?? plain.failure
      const ratios = read.cpuMicros.map((each, index) => each / (plain.cpuMicros[index] ?? NaN))
      rows.push({
        ...rowOf({
          work: `ten generated objects ${work}: CPU for an answer`,
          contender: plain.name,
          unit: 'µs',
          ours: figureOf(read.cpuMicros),
          theirs: figureOf(plain.cpuMicros),
          interval: intervalOf(ratios),
        }),
        target: { atMost: 1.05 },
        ...(failure !== undefined && { failure }),
      })
    }
    return rows
  },
}

function contender(name: string, query: string | undefined): Contender {
  return {
    server: server(name),
    request: { path: '/users' },
    check(body) {
      const users = JSON.parse(body.toString()) as unknown
      if (!Array.isArray(users) || users.length !== 10) throw new Error('it is not a list of ten')
    },
    ...(query !== undefined && {
      beside: (url: string) => readRequests(`${url}/__sim/requests/stream${query}`),
    }),
  }
}

async function readRequests(url: string): Promise<() => void> {
  const leaving = new AbortController()
  const { body } = await fetch(url, { signal: leaving.signal })
  const read = async (): Promise<void> => {
    for await (const _chunk of body ?? []);
  }
  read().catch(() => undefined)
  return () => leaving.abort()
}
