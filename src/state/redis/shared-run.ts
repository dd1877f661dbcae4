import { StatePartial } from '../../errors.ts'
import type { Awaitable } from '../../message.ts'
import type { Session } from '../session.ts'
import type { Sessions } from '../sessions.ts'
import type { Applied, Seen, SharedNeeds } from '../shared-state.ts'
import { BEHIND_MS, type ChangeLog, type PartChange } from './change-log.ts'
import type { RedisConnection } from './connection.ts'
import type { Gateways } from './gateways.ts'
import { readFaults, readJournal } from './journal.ts'
import type { CommonKeys } from './keys.ts'
import { exportParts, importParts } from './session-parts.ts'
import type { KnownSession } from './known-session.ts'
import type { SharedSessions } from './sessions.ts'

/** What work of the control plane is run with. */
export interface RunOptions {
  readonly connection: RedisConnection
  readonly keys: CommonKeys
  readonly gateway: string
  readonly log: ChangeLog
  readonly gateways: Gateways
  readonly sessions: SharedSessions
  readonly isJournalShared: boolean
}

/** How long is waited for what other gateways have noted. */
const FENCE_MS = 1000
/** The same, where the answer is given without it. */
const LENIENT_MS = 250

/** Runs work of the control plane for all gateways at once, as `SharedState.run` says. */
export async function runShared<Answer>(
  options: RunOptions,
  needs: SharedNeeds,
  seen: Seen,
  work: (seen: Seen) => Awaitable<Answer>,
  chosen?: string,
): Promise<{ readonly answer: Answer; readonly applied?: Applied }> {
  const { connection } = options
  if (connection.lost !== undefined && needs.begins === true) await connection.begin()
  const { changes = [] } = needs
  if (!changes.some((each) => each !== 'store' && each !== 'counts')) {
    if (hasNotes(needs)) await fenced(options, needs.reads?.includes('journal') !== true)
    return { answer: await work(await viewOf(options, needs, seen, chosen, [])) }
  }
  return options.log.locked(async (lock) => {
    // A gateway that hangs is named by the answer, and not waited for.
    if (hasNotes(needs)) await fenced(options, true)
    const known = await options.sessions.meet(seen.session.key)
    await known.session.overrides.refresh()
    const before = exportParts(known.session)
    const settings = options.sessions.settings()
    const ended: string[] = []
    try {
      const current = { ...seen, session: known.session as Session }
      const answer = await work(await viewOf(options, needs, current, chosen, ended))
      const applied = await publish(options, lock, [
        ...(ended.includes(known.session.key)
          ? []
          : otherParts(known.session.key, before, exportParts(known.session))),
        ...otherParts('*', settings, options.sessions.settings()),
        ...ended.map((key): PartChange => [key, 'ended', '']),
      ])
      return { answer, applied }
    } catch (error) {
      // What the others do not get is not in force here either.
      importParts(known.session, Object.fromEntries(before))
      await options.sessions.apply(
        options.log.applied,
        [...settings].map(([name, value]) => ['*', name, value]),
      )
      throw error
    }
  })
}

/** Ends sessions on all gateways; each must not have been used since it was chosen. @returns how many there were */
export async function endSessions(
  options: RunOptions,
  keysOf: () => Promise<readonly string[]>,
): Promise<number> {
  return options.log.locked(async (lock) => {
    const keys = await keysOf()
    if (keys.length === 0) return 0
    await fenced(options, true)
    for (const key of keys) await clear(await options.sessions.meet(key))
    await publish(
      options,
      lock,
      keys.map((key): PartChange => [key, 'ended', '']),
    )
    return keys.length
  })
}

async function clear({ session }: KnownSession): Promise<void> {
  await session.reset()
}

function hasNotes({ reads = [], changes = [] }: SharedNeeds): boolean {
  return reads.some((each) => NOTED.has(each)) || changes.some((each) => NOTED.has(each))
}

const NOTED: ReadonlySet<string> = new Set(['journal', 'faults', 'counts'])

function otherParts(
  session: string,
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): readonly PartChange[] {
  return [...now]
    .filter(([part, value]) => before.get(part) !== value)
    .map(([part, value]): PartChange => [session, part, value])
}

async function publish(
  { log, gateways, gateway }: RunOptions,
  lock: string,
  changes: readonly PartChange[],
): Promise<Applied> {
  if (changes.length === 0) {
    const all = gateways.living.map(({ name }) => name)
    return { version: log.applied, gateways: all, behind: [] }
  }
  const { version, living } = await log.make(lock, changes)
  const [{ missing, gone }] = await Promise.all([
    gateways.waitFor('v', version, living, BEHIND_MS),
    log.reach(version),
  ])
  const behind = [...missing, ...gone]
  const others = living.map(({ name }) => name).filter((name) => name !== gateway)
  return { version, gateways: [gateway, ...others].filter((name) => !behind.includes(name)), behind }
}

async function fenced({ gateways }: RunOptions, isLenient = false): Promise<void> {
  const missing = await gateways.fence(isLenient ? LENIENT_MS : FENCE_MS)
  if (missing.length > 0 && !isLenient) throw new StatePartial(missing)
}

// The sessions as work sees them: with what all gateways have noted.
async function viewOf(
  options: RunOptions,
  needs: SharedNeeds,
  { session, sessions }: Seen,
  chosen: string | undefined,
  ended: string[],
): Promise<Seen> {
  const { reads = [], changes = [] } = needs
  const isListed = reads.includes('sessions')
  if (reads.includes('session')) await options.sessions.find(session.key)?.session.overrides.refresh()
  const names = await chosenKeys(options, session.key, isListed ? '*' : chosen)
  const views =
    isListed || hasNotes(needs) ? await Promise.all(names.map((key) => read(options, needs, key))) : []
  const own = views.find((view) => view.key === session.key)
  const view: Sessions = {
    ofRequest: (request) => sessions.ofRequest(request),
    of: (key) => sessions.of(key),
    all: () => views,
    reset: (each) => sessions.reset(each),
    follow: (listener) => sessions.follow(listener),
    async end(key) {
      if (!changes.includes('sessions')) return sessions.end(key)
      if (key === '' || !(await isThere(options, key))) return false
      await clear(await options.sessions.meet(key))
      ended.push(key)
      return true
    },
  }
  return {
    session: own ?? session,
    sessions: views.length > 0 || changes.includes('sessions') ? view : sessions,
  }
}

async function chosenKeys(
  { connection, keys }: RunOptions,
  own: string,
  chosen = own,
): Promise<readonly string[]> {
  if (chosen === own) return [own]
  if (chosen !== '*') return (await isThere({ connection, keys }, chosen)) ? [own, chosen] : [own]
  const named = (await connection.command(['ZREVRANGE', keys.sessions, '0', '-1'])) as string[]
  return [...new Set(['', ...named, own])]
}

async function isThere(
  { connection, keys }: Pick<RunOptions, 'connection' | 'keys'>,
  key: string,
): Promise<boolean> {
  return key === '' || (await connection.command(['ZSCORE', keys.sessions, key])) !== null
}

async function read(options: RunOptions, needs: SharedNeeds, key: string): Promise<Session> {
  const { connection, keys, gateway, sessions } = options
  const { reads = [], changes = [] } = needs
  const { session, journal, faults } = await sessions.meet(key)
  if (journal === undefined || faults === undefined) return session
  const [hasJournal, hasFaults] = [
    reads.includes('journal') || changes.includes('journal'),
    reads.includes('faults'),
  ]
  const [facts, notes, log, logFacts] = await Promise.all([
    journal.facts(),
    hasJournal ? journal.read() : [],
    hasFaults ? faults.read() : [],
    hasFaults ? faults.facts() : undefined,
  ])
  const lost = hasJournal
    ? Number(await connection.command(['ZCOUNT', keys.lost, String(facts.since), '+inf']))
    : 0
  const { size, dropped } = facts
  const chaos = hasFaults
    ? {
        value: Object.create(session.chaos, {
          log: { value: readFaults(session.chaos.log, log, logFacts?.dropped ?? 0) },
        }) as Session['chaos'],
      }
    : undefined
  return Object.create(session, {
    journal: { value: readJournal(session.journal, { notes, size, dropped, lost, gateway }) },
    ...(chaos && { chaos }),
  }) as Session
}
