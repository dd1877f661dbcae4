import { VerificationFailed } from '../errors.ts'
import type { JournalEntry } from '../state/journal.ts'
import { differencesOf, MATCHER, type Matcher } from './matcher.ts'
import { defineOperation, fields } from './operation.ts'

interface Expectation extends Matcher {
  readonly exactly?: number
  readonly at_least?: number
  readonly at_most?: number
}

const count = { type: 'integer', minimum: 0 }
const NEAREST = 3

/** Checks which requests came. */
export const verify = defineOperation(
  'POST',
  '/verify',
  {
    scope: { reads: ['journal'] },
    tag: 'requests',
    summary: 'Check that certain requests came, how often, and in which order',
    description:
      'Looks through the journal of the session. Each request is expected at least once unless a count is given; ' +
      'in order, each comes after the first that fits the one before. What fails is a 409 that says, for each, how ' +
      'many fit and what the nearest others differ in.',
    input: fields(
      {
        requests: {
          type: 'array',
          minItems: 1,
          items: fields({ ...MATCHER, exactly: count, at_least: count, at_most: count }),
        },
        in_order: { type: 'boolean', default: false },
      },
      ['requests'],
    ),
    output: fields({
      verified: { const: true },
      counts: { type: 'array', items: { type: 'integer' } },
      dropped: { type: 'integer', description: 'Earlier requests that the journal no longer has' },
      lost_gateways: {
        type: 'integer',
        description:
          'Gateways of a shared state that ended without a word: their latest requests may be missing',
      },
    }),
  },
  (input, { session }) => {
    const expected = input['requests'] as readonly Expectation[]
    const entries = session.journal.newest().toSorted((a, b) => a.arrivedMs - b.arrivedMs || a.id - b.id)
    const counts = expected.map((each) => entries.filter((entry) => fits(each, entry)).length)
    const problems = [
      ...expected.flatMap((each, index) => countProblems(each, counts[index] ?? 0, entries)),
      ...(input['in_order'] === true ? orderProblems(expected, entries) : []),
    ]
    const { dropped, lostGateways = 0 } = session.journal
    const lost = lostGateways === 0 ? {} : { lost_gateways: lostGateways }
    if (problems.length === 0) return { verified: true, counts, dropped, ...lost }
    const left = [
      ...(dropped === 0 ? [] : [`the journal no longer has ${dropped} earlier requests`]),
      ...(lostGateways === 0 ? [] : [`${lostGateways} gateways have ended without passing on all they had`]),
    ]
    throw new VerificationFailed([...problems.map(({ problem }) => problem), ...left].join('; '), problems)
  },
)

interface Problem {
  readonly problem: string
  readonly nearest: readonly {
    readonly id: number
    readonly request: string
    readonly differs: readonly string[]
  }[]
}

function countProblems(expected: Expectation, found: number, entries: readonly JournalEntry[]): Problem[] {
  const { exactly, at_most: most = exactly ?? Infinity } = expected
  const least = expected.at_least ?? exactly ?? (expected.at_most === undefined ? 1 : 0)
  if (found >= least && found <= most) return []
  const wanted = [
    ...(exactly === undefined ? [] : [`exactly ${exactly}`]),
    ...(exactly !== undefined || found >= least ? [] : [`at least ${least}`]),
    ...(exactly !== undefined || found <= most ? [] : [`at most ${most}`]),
  ]
  return [
    {
      problem: `${found} of ${wanted.join(' and ')} requests like ${nameOf(expected)} came`,
      nearest: found < least ? nearestOf(expected, entries) : [],
    },
  ]
}

function orderProblems(expected: readonly Expectation[], entries: readonly JournalEntry[]): Problem[] {
  let from = 0
  for (const [index, each] of expected.entries()) {
    const at = entries.findIndex((entry, place) => place >= from && fits(each, entry))
    if (at < 0) {
      const before = expected[index - 1]
      const after = before === undefined ? '' : ` after ${nameOf(before)}`
      return [{ problem: `no request like ${nameOf(each)} came${after}`, nearest: [] }]
    }
    from = at + 1
  }
  return []
}

function nearestOf(expected: Matcher, entries: readonly JournalEntry[]): Problem['nearest'] {
  return entries
    .map((entry) => ({
      id: entry.id,
      request: `${entry.method} ${entry.url}`,
      differs: differencesOf(expected, entry),
    }))
    .filter(({ differs }) => differs.length > 0)
    .toSorted((a, b) => distanceOf(a.differs) - distanceOf(b.differs) || b.id - a.id)
    .slice(0, NEAREST)
}

// Another operation is further away than another field.
function distanceOf(differs: readonly string[]): number {
  return differs.length + differs.filter((each) => /^(method|path):/.test(each)).length
}

function fits(expected: Matcher, entry: JournalEntry): boolean {
  return differencesOf(expected, entry).length === 0
}

function nameOf({ method, path, ...others }: Expectation): string {
  const { exactly: _exactly, at_least: _least, at_most: _most, ...rest } = others
  const more = Object.keys(rest).length === 0 ? '' : ` with ${JSON.stringify(rest).slice(0, 120)}`
  return `${method?.toUpperCase() ?? 'any method'} ${path ?? 'any path'}${more}`
}
