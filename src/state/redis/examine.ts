import { commonKeys } from './keys.ts'
import { BEAT_COUNTS_MS } from './living.ts'
import { problemsOfRights } from './rights.ts'
import { pairsOf, type Ask } from './scripts.ts'
import { engineOf, factsOf, problemsOf, runsScripts } from './server.ts'
import { readClock, StateClock } from './state-clock.ts'
import type { StateServer } from './state-server.ts'

/** A gateway that has said lately that it is there. */
export interface SeenGateway {
  readonly name: string
  /** The latest change of the control plane that is in force on it. */
  readonly version: number
  /** Where others reach it; empty where they do not. */
  readonly peer: string
}

/** What a server of state is like. */
export interface Examined {
  readonly server: string
  readonly engine: string
  readonly mode: string
  readonly role: string
  readonly policy: string
  readonly usedBytes: number
  /** 0 where it may take all there is. */
  readonly maxBytes: number
  /** Such as `AOF everysec`, or `none`. */
  readonly persistence: string
  readonly roundTripMs: number
  /** What its clock is ahead of this machine's, and by how much that may be wrong. */
  readonly clockOffsetMs: number
  readonly clockErrorMs: number
  readonly version: number
  readonly gateways: readonly SeenGateway[]
  readonly sessions: number
  /** Why no gateway can use it. */
  readonly problems: readonly string[]
  /** What is allowed, and may surprise. */
  readonly warnings: readonly string[]
}

const ROUNDS = 20
const MAX_OFFSET_MS = 1000

/** Finds out all that matters of a server, and all that is in the way of using it. */
export async function examine(server: StateServer, namespace: string): Promise<Examined> {
  const info = String(await server.command(['INFO'], true))
  const facts = factsOf(info)
  const fact = (name: string): string => facts.get(name) ?? ''
  const keys = commonKeys(namespace)
  const problems: string[] = []
  for (const primary of server.primaries)
    problems.push(...problemsOf(String(await primary.send(['INFO'], true)), primary.text))
  if (runsScripts(facts)) problems.push(...(await problemsOfRights(server, namespace, server.text)))
  const clock = await compareClocks(server)
  // What cannot be read is an error, but for where it is a problem already that is named with all others.
  const read = (args: readonly string[], otherwise: unknown): Promise<unknown> =>
    server.command(args, true).catch((error: unknown) => {
      if (problems.length === 0) throw error
      return otherwise
    })
  const [time, version, sessions, all] = await Promise.all([
    server.command(['TIME'], true),
    read(['GET', keys.version], 0),
    read(['ZCARD', keys.sessions], 0),
    read(['HGETALL', keys.gateways], []),
  ])
  const [seconds = '0'] = time as string[]
  const persistence = fact('aof_enabled') === '1' ? `AOF ${await fsyncOf(server)}` : await savesOf(server)
  const [usedBytes, maxBytes] = [Number(fact('used_memory')), Number(fact('maxmemory'))]
  const warnings = [
    ...when(persistence === 'none', 'Nothing is written to disk: a restart of the server loses the state'),
    ...when(
      persistence === 'AOF no',
      'The system decides when what was written is on the disk (appendfsync no): a crash of the machine loses up to 30 s',
    ),
    ...when(
      persistence.startsWith('RDB'),
      'Only snapshots are written to disk: a restart loses what came after the last. Set appendonly yes',
    ),
    ...when(
      maxBytes === 0,
      'maxmemory is not set: the server takes what the machine has, and may be ended by it',
    ),
    ...when(
      maxBytes > 0 && usedBytes > 0.9 * maxBytes,
      `More than nine tenths of its memory is in use: past ${maxBytes} bytes nothing is stored (507)`,
    ),
    ...when(
      Math.abs(clock.offset) > MAX_OFFSET_MS,
      `This machine's clock is ${Math.round(Math.abs(clock.offset))} ms ${clock.offset > 0 ? 'behind' : 'ahead'}: gateways go by that of the server`,
    ),
  ]
  return {
    ...{ server: server.text, engine: engineOf(facts), mode: fact('redis_mode'), role: fact('role') },
    ...{ policy: fact('maxmemory_policy'), usedBytes, maxBytes, persistence },
    ...{ roundTripMs: clock.roundTrip, clockOffsetMs: clock.offset, clockErrorMs: clock.error },
    version: Number(version ?? 0),
    gateways: livingOf(all as string[], Number(seconds) * 1000),
    sessions: Number(sessions ?? 0) + 1,
    ...{ problems, warnings },
  }
}

/** The gateways that have said lately that they are there. @param key that of their names and what is noted of each */
export async function seenGateways(server: Ask, key: string): Promise<SeenGateway[]> {
  const [all, time] = await Promise.all([
    server.command(['HGETALL', key], true),
    server.command(['TIME'], true),
  ])
  return livingOf(all as string[], Number((time as string[])[0]) * 1000)
}

// Those whose last word still counts.
function livingOf(flat: readonly string[], now: number): SeenGateway[] {
  return pairsOf(flat)
    .map(([name, text]) => {
      const [, version = '0', beat = '0', peer = ''] = text.split(' ')
      return { name, version: Number(version), peer: peer === '-' ? '' : peer, beat }
    })
    .filter(({ beat }) => now - Number(beat) <= BEAT_COUNTS_MS + 1000)
    .map(({ name, version, peer }) => ({ name, version, peer }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

async function compareClocks(
  server: StateServer,
): Promise<{ readonly roundTrip: number; readonly offset: number; readonly error: number }> {
  const clock = new StateClock()
  const roundTrips: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await readClock(server, clock)
    roundTrips.push(clock.roundTripMs)
  }
  const roundTrip = roundTrips.toSorted((a, b) => a - b)[ROUNDS / 2] ?? 0
  return { roundTrip, offset: clock.offsetMs, error: clock.errorMs }
}

// Managed servers may not let their settings be read.
async function settingOf(server: StateServer, name: string): Promise<string> {
  const reply = await server.command(['CONFIG', 'GET', name], true).catch(() => [])
  return (reply as string[])[1] ?? ''
}

async function fsyncOf(server: StateServer): Promise<string> {
  return (await settingOf(server, 'appendfsync')) || 'of unknown policy'
}

async function savesOf(server: StateServer): Promise<string> {
  const saves = await settingOf(server, 'save')
  return saves === '' ? 'none' : `RDB ${saves}`
}

function when(holds: boolean, text: string): readonly string[] {
  return holds ? [text] : []
}
