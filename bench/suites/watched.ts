import { serverFile, sim } from '../harness/commands.ts'
import { compare, type Contender } from '../harness/compare.ts'
import { figureOf, intervalOf, rowOf, type Row, type Target } from '../harness/figures.ts'
import type { Suite } from './suite.ts'

const APP = serverFile('sim-app.mjs')
const ROUNDS = 9
const JSON_LOG = ['--log-format', 'json', '--log-level', 'info']
const NO_LOG = ['--log-format', 'none']

/** What is there only where somebody wants to see something, against the same server without it. */
interface Look {
  readonly work: string
  readonly flags: readonly string[]
  readonly plainFlags: readonly string[]
  readonly target: Target
  readonly beside?: Contender['beside']
}

const LOOKS: readonly Look[] = [
  {
    work: 'with a line of the log for each, as JSON',
    flags: JSON_LOG,
    plainFlags: NO_LOG,
    // A tenth less throughput.
    target: { atMost: 1.11 },
  },
  ...['', '?details=true'].map((query): Look => ({
    work: query === '' ? 'with a reader of its requests' : 'with an open page',
    flags: NO_LOG,
    plainFlags: NO_LOG,
    target: { atMost: 1.05 },
    beside: (url) => readRequests(`${url}/__sim/requests/stream${query}`),
  })),
  {
    // Nothing stays of what was loaded and watched for it.
    work: 'after one was explained',
    flags: NO_LOG,
    plainFlags: NO_LOG,
    target: { atMost: 1.05 },
    beside: explainOne,
  },
]

/** What somebody who looks costs: CPU for an answer with the log, a reader or an explanation, and without. */
export const watched: Suite = {
  name: 'watched',
  describe:
    'the log, a reader of the requests as they end, an open page and an explanation, each against none',
  async measure() {
    const rows: Row[] = []
    for (const look of LOOKS) rows.push(...(await measureLook(look)))
    return rows
  },
}

async function measureLook({ work, flags, plainFlags, target, beside }: Look): Promise<readonly Row[]> {
  const [seen, plain] = await compare(
    [contender('sim, seen', flags, beside), contender('sim without it', plainFlags)],
    ROUNDS,
  )
  if (seen === undefined || plain === undefined) return []
  const failure = seen.failure ?? plain.failure
  const row = rowOf({
    work: `ten generated objects ${work}: CPU for an answer`,
    contender: plain.name,
    unit: 'µs',
    ours: figureOf(seen.cpuMicros),
    theirs: figureOf(plain.cpuMicros),
    interval: intervalOf(seen.cpuMicros.map((each, index) => each / (plain.cpuMicros[index] ?? NaN))),
  })
  return [{ ...row, target, ...(failure !== undefined && { failure }) }]
}

function contender(name: string, flags: readonly string[], beside?: Contender['beside']): Contender {
  return {
    server: sim(name, 'run', APP, '--answer-cache-bytes', '0', ...flags),
    request: { path: '/users' },
    check(body) {
      const users = JSON.parse(body.toString()) as unknown
      if (!Array.isArray(users) || users.length !== 10) throw new Error('it is not a list of ten')
    },
    ...(beside !== undefined && { beside }),
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

async function explainOne(url: string): Promise<() => void> {
  const [newest] = (await (await fetch(`${url}/__sim/requests?path=/users`)).json()) as { id: number }[]
  const explained = await fetch(`${url}/__sim/requests/${newest?.id}/explain`)
  const { rerun } = (await explained.json()) as { readonly rerun?: { readonly same?: boolean } }
  if (rerun?.same !== true) throw new Error(`it was not explained: ${JSON.stringify(rerun)}`)
  return () => undefined
}
