import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { runSim, startSim } from '../flow/sim-process.ts'
import { isSameBody, isSameRequest, pairUp, unlikeness } from './likeness.ts'
import { createRelay, type Relay, type Relayed } from './relay.ts'
import type { Server } from './server.ts'
import { type Played, play, type System, type Which } from './system.ts'
import type { WireMock } from './wiremock.ts'

/** What is measured of a system, by name, in the order of the table. */
export const BARS = [
  'replay',
  'bytes',
  'other order',
  'itself',
  'seen',
  'held out',
  'checks',
  'plain replay',
  'WireMock',
  'by rule',
  'rule alone',
  'drift',
  'valid',
  'again',
] as const
export type Bar = (typeof BARS)[number]

/** One figure, whether it suffices, and what is short. */
export interface Measured {
  readonly figure: string
  readonly ok: boolean
  readonly why: readonly string[]
}

export interface Result {
  readonly name: string
  readonly exchanges: number
  readonly measured: Partial<Record<Bar, Measured>>
}

/** What proving a system works with. */
interface Proving {
  readonly name: string
  readonly system: System
  /** A folder for all that it writes. */
  readonly directory: string
  readonly wireMock: WireMock | undefined
  readonly onProgress: (what: string) => void
}

type Note = (bar: Bar, figure: string, ok: boolean, why?: readonly string[]) => void

const HELD_OUT = 0.95
const CHECKS = 0.9
const BY_RULE = 0.8

/** Records a system, replays it, infers routes from it and compares, and says how far each bar is reached. */
export async function proveSystem(proving: Proving): Promise<Result> {
  const { name, system, directory } = proving
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  const measured: Partial<Record<Bar, Measured>> = {}
  const note: Note = (bar, figure, ok, why = []) => (measured[bar] = { figure, ok, why })
  let exchanges = 0
  if (system.session !== undefined) exchanges += await proveSession(proving, note)
  if (system.clients !== undefined) exchanges += await proveClients(proving, note)
  if (system.proveItself !== undefined) await proveParticular(proving, note)
  const result = { name, exchanges, measured }
  writeFileSync(join(directory, 'result.json'), JSON.stringify(result, undefined, 1))
  return result
}

async function proveSession(proving: Proving, note: Note): Promise<number> {
  const { name, system, directory, wireMock, onProgress } = proving
  const at = (file: string): string => join(directory, file)
  const relay = await createRelay()
  let runs = 0
  const playTo = async (which: Which, target: string): Promise<Played> => {
    const own = at(`client-${runs++}`)
    mkdirSync(own)
    return play(
      relay,
      target,
      (base, check) => system.session?.(base, which, check, own) ?? Promise.resolve(),
    )
  }
  const record = async (which: Which): Promise<Played & { readonly server: string }> => {
    onProgress(`${name}: records ${which}`)
    return withRecorded(proving, which, relay, async (target, server) => ({
      ...(await playTo(which, target)),
      server: server.url,
    }))
  }
  const simulated = async (which: Which, args: readonly string[]): Promise<Played & { flags: string }> => {
    const sim = await startSim(args)
    try {
      const played = await playTo(which, sim.url)
      const misses = args.includes('replay') ? await fetch(`${sim.url}/__sim/misses`) : undefined
      const report = (await misses?.json()) as { readonly flags?: string } | undefined
      return { ...played, flags: report?.flags ?? '' }
    } finally {
      await sim.stop()
    }
  }
  try {
    const a = await record('A')
    const b = await record('B')
    onProgress(`${name}: replays`)
    const replay = ['proxy', '--mode', 'replay', '--recording', at('A')]
    let again = await simulated('A', replay)
    let fidelity = fidelityOf(a.exchanges, again.exchanges, a.server, relay.url)
    let flags = ''
    if (fidelity.hits < a.exchanges.length && again.flags !== '') {
      flags = again.flags
      again = await simulated('A', [...replay, ...words(flags)])
      fidelity = fidelityOf(a.exchanges, again.exchanges, a.server, relay.url)
    }
    noteFidelity(note, a.exchanges.length, fidelity, flags)
    const plain = await simulated('B', [...replay, ...words(flags)])

    onProgress(`${name}: infers`)
    const inferred = await runSim(['fixtures', 'from', at('A'), '-o', at('mock'), '--json'])
    writeFileSync(at('inferred.json'), inferred.stdout)
    if (inferred.code !== 0) throw new Error(`sim fixtures from: ${inferred.stderr}`)
    const found = JSON.parse(inferred.stdout) as Inferred
    const worst = found.routes.filter(({ exchanges, byRule }) => byRule < exchanges)
    note(
      'by rule',
      percent(found.share),
      found.share >= BY_RULE,
      worst.map(({ route, exchanges, byRule }) => `${route}: ${byRule} of ${exchanges}`),
    )
    await noteFiles(note, directory)

    onProgress(`${name}: simulates`)
    const known = [...a.exchanges, ...b.exchanges]
    const judged = (real: Played, given: Played): Score => scoreOf(real, given, known, system)
    const routes = ['run', at('mock/routes.yaml'), '--seed', '7']
    const seen = judged(a, await simulated('A', routes))
    note('seen', seen.figure, seen.right === seen.all, seen.wrong)
    const held = judged(b, await simulated('B', routes))
    note('held out', held.figure, held.right >= HELD_OUT * held.all, held.wrong)
    note('checks', held.checksFigure, held.checks >= CHECKS * held.checksOfAll, held.failedChecks)
    const byReplay = judged(b, plain)
    note('plain replay', byReplay.figure, byReplay.right <= held.right)
    withoutAnswers(at('mock'), at('mock-rules'))
    const alone = judged(a, await simulated('A', ['run', at('mock-rules/routes.yaml'), '--seed', '7']))
    note('rule alone', alone.figure, true, alone.wrong)

    await noteDrift(note, directory)
    if (wireMock !== undefined) {
      onProgress(`${name}: WireMock`)
      const server = await system.start(emptied(at('server-WireMock')))
      await wireMock.record(server.url)
      const recorded = await playTo('A', wireMock.url)
      await wireMock.stopRecording()
      await server.stop()
      const replayed = await playTo('A', wireMock.url)
      await wireMock.rewind()
      const stubs = judged(b, await playTo('B', wireMock.url))
      await wireMock.reset()
      const own = fidelityOf(recorded.exchanges, replayed.exchanges, '', '')
      note(
        'WireMock',
        `${stubs.figure}, bytes ${own.same}/${recorded.exchanges.length}`,
        stubs.right <= held.right && own.same <= fidelity.same,
      )
    }
    return a.exchanges.length + b.exchanges.length
  } finally {
    await relay.close()
  }
}

/** Clients at the same time are recorded, and replayed in that order and one after the other from the last to the first. */
async function proveClients(proving: Proving, note: Note): Promise<number> {
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
        const own = fidelityOf(real.exchanges, played.exchanges, recorded.server, gateway, others)
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

async function proveParticular({ name, system, directory, onProgress }: Proving, note: Note): Promise<void> {
  let [all, right] = [0, 0]
  const why: string[] = []
  await system.proveItself?.(directory, (what, ok, reasons = []) => {
    onProgress(`${name}: ${what}: ${ok ? 'as it should be' : 'not as it should be'}`)
    all++
    if (ok) right++
    else why.push(what, ...reasons)
  })
  note('itself', `${right}/${all}`, right === all, why)
}

async function withRecorded<Value>(
  { system, directory }: Proving,
  recording: string,
  relay: Relay,
  run: (target: string, server: Server) => Promise<Value>,
): Promise<Value> {
  const server = await system.start(emptied(join(directory, `server-${recording}`)))
  try {
    const config = join(directory, `${recording}.yaml`)
    const headers =
      system.keepsHost === true ? { request_headers: { set: { host: new URL(relay.url).host } } } : {}
    writeFileSync(config, stringify({ gateway: { upstreams: [{ url: server.url, path: '/', ...headers }] } }))
    const gateway = await startSim(['proxy', '--config', config, '--record', join(directory, recording)])
    try {
      return await run(gateway.url, server)
    } finally {
      await gateway.stop()
    }
  } finally {
    await server.stop()
  }
}

interface Fidelity {
  readonly hits: number
  readonly same: number
  readonly missed: readonly string[]
  readonly differing: readonly string[]
}

function fidelityOf(
  recorded: readonly Relayed[],
  given: readonly Relayed[],
  server: string,
  gateway: string,
  others: readonly Relayed[] = [],
): Fidelity {
  const missed: string[] = []
  const differing: string[] = []
  for (const [one, other] of pairUp(recorded, given)) {
    const text = `${one.step}: ${one.method} ${one.url}`
    if (other === undefined) missed.push(`${text} was not sent`)
    else if (other.status === 404 && other.body.includes('SIM_NOT_RECORDED'))
      missed.push(`${text}: ${other.method} ${other.url} is not in the recording`)
    else if (other.status !== one.status) differing.push(`${text}: ${other.status} in place of ${one.status}`)
    else if (
      ![one, ...others.filter((each) => isSameRequest(each, one))].some((each) =>
        isSameBody(each.body, other.body, server, gateway),
      )
    )
      differing.push(`${text}: ${firstDifference(one.body, other.body)}`)
  }
  const hits = recorded.length - missed.length
  return { hits, same: hits - differing.length, missed, differing }
}

function firstDifference(recorded: Buffer, given: Buffer): string {
  let at = 0
  while (at < recorded.length && recorded[at] === given[at]) at++
  const around = (bytes: Buffer): string =>
    JSON.stringify(bytes.subarray(Math.max(0, at - 20), at + 40).toString())
  return `at ${at} of ${recorded.length}: ${around(given)} in place of ${around(recorded)}`
}

function noteFidelity(note: Note, all: number, { hits, same, missed, differing }: Fidelity, flags: string) {
  note('replay', `${hits}/${all}${flags === '' ? '' : ` with ${flags}`}`, hits === all, missed)
  note('bytes', `${same}/${all}`, same === all, differing)
}

interface Inferred {
  readonly share: number
  readonly routes: readonly { readonly route: string; readonly exchanges: number; readonly byRule: number }[]
}

interface Score {
  readonly right: number
  readonly all: number
  readonly figure: string
  readonly wrong: readonly string[]
  readonly checks: number
  readonly checksOfAll: number
  readonly checksFigure: string
  readonly failedChecks: readonly string[]
}

/** What a session was answered, against what the server answered it; checks count that held for the server. */
function scoreOf(real: Played, given: Played, known: readonly Relayed[], { isMap }: System): Score {
  const wrong = pairUp(real.exchanges, given.exchanges).flatMap(([one, other]) => {
    const ofStep = known.filter(({ step }) => step === one.step)
    const why = unlikeness(one, other, ofStep, isMap)
    return why.length === 0
      ? []
      : [`${one.step}: ${one.method} ${one.url} (${one.status}): ${why.slice(0, 3).join('; ')}`]
  })
  const all = real.exchanges.length
  const held = real.checks.flatMap(({ ok }, at) => (ok ? [given.checks[at]] : []))
  const failed = held.filter((each) => each?.ok !== true)
  const [right, checks] = [all - wrong.length, held.length - failed.length]
  return {
    ...{ right, all, wrong, checks, checksOfAll: held.length },
    figure: `${right}/${all}`,
    checksFigure: `${checks}/${held.length}`,
    failedChecks: failed.map((each) => `${each?.name}: ${each?.failure}`),
  }
}

async function noteFiles(note: Note, directory: string): Promise<void> {
  const mock = join(directory, 'mock')
  const why: string[] = []
  for (const file of ['routes.yaml', 'openapi.yaml']) {
    const { code, stdout, stderr } = await runSim(['validate', join(mock, file)])
    if (code !== 0) why.push(`${file}: ${stdout}${stderr}`)
  }
  note('valid', why.length === 0 ? 'both' : 'no', why.length === 0, why)
  const before = filesOf(mock)
  await runSim(['fixtures', 'from', join(directory, 'A'), '-o', mock])
  await runSim(['fixtures', 'from', join(directory, 'A'), '-o', join(directory, 'mock-again')])
  const changed = [filesOf(mock), filesOf(join(directory, 'mock-again'))].flatMap((after) =>
    [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)),
  )
  note('again', changed.length === 0 ? 'same' : `${changed.length} differ`, changed.length === 0, changed)
}

function filesOf(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(directory.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

/** The same routes without the answers that are given as they were recorded. */
function withoutAnswers(mock: string, to: string): void {
  cpSync(mock, to, { recursive: true })
  const file = join(to, 'routes.yaml')
  const document = parse(readFileSync(file, 'utf8')) as { routes?: Record<string, Record<string, unknown>> }
  for (const route of Object.values(document.routes ?? {}))
    for (const each of [route].flat()) {
      delete each['answers']
      delete each['nearest']
    }
  writeFileSync(file, stringify(document, { aliasDuplicateObjects: false }))
}

interface Drifts {
  readonly severities: { readonly breaking: number }
  readonly routes: readonly {
    readonly route: string
    readonly drifts: readonly { severity: string; change: string; part: string; pointer?: string }[]
  }[]
}

async function noteDrift(note: Note, directory: string): Promise<void> {
  const counts: number[] = []
  const why: string[] = []
  for (const against of ['A', 'mock/routes.yaml']) {
    const args = ['recordings', 'diff', join(directory, 'B'), '--against', join(directory, against)]
    const { stdout, stderr } = await runSim([...args, '--json', '--fail-on', 'never'])
    if (stdout === '') throw new Error(`sim recordings diff: ${stderr}`)
    const { severities, routes } = JSON.parse(stdout) as Drifts
    counts.push(severities.breaking)
    for (const { route, drifts } of routes)
      for (const { severity, change, part, pointer = '' } of drifts)
        if (severity === 'breaking') why.push(`against ${against}: ${route}: ${change} ${part} ${pointer}`)
  }
  const ok = counts.every((count) => count === 0)
  note('drift', counts.join(', '), ok, why)
}

function emptied(directory: string): string {
  if (existsSync(directory)) rmSync(directory, { recursive: true })
  mkdirSync(directory, { recursive: true })
  return directory
}

/** The words of a command line, as a shell takes them apart. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll("'\\''", "'") ?? plain ?? '',
  )
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`
}
