import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runSim, startSim } from '../flow/sim-process.ts'
import type { Bar, Measured, Note, Proving, Result } from './bars.ts'
import { proveClients } from './prove-clients.ts'
import { emptied, withRecorded } from './record-system.ts'
import { isSameBody, pairUp } from './likeness.ts'
import { createRelay } from './relay.ts'
import { type Fidelity, fidelityOf, type Score, scoreOf } from './scores.ts'
import { type Played, play, type Which } from './system.ts'
import { noteDrift, noteFiles, withoutAnswers } from './written-files.ts'

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
  /** Plays sessions to a gateway, which is put back before each but the first. */
  const playAll = async (sessions: readonly Which[], args: readonly string[]): Promise<Played[]> => {
    const sim = await startSim(args)
    try {
      const played: Played[] = []
      for (const which of sessions) {
        if (played.length > 0) await fetch(`${sim.url}/__sim/reset`, { method: 'POST' })
        played.push(await playTo(which, sim.url))
      }
      return played
    } finally {
      await sim.stop()
    }
  }
  const replayed = async (a: Played & { readonly server: string }): Promise<Replayed> => {
    const args = ['proxy', '--mode', 'replay', '--recording', at('A')]
    const of = ([again, other]: readonly Played[], flags: string): Replayed => ({
      fidelity: fidelityOf(pairUp(a.exchanges, again?.exchanges ?? []), (one, other) =>
        isSameBody(one.body, other.body, a.server, relay.url),
      ),
      other: other as Played,
      flags,
    })
    let flags = ''
    const sim = await startSim(args)
    try {
      const again = await playTo('A', sim.url)
      const report = (await (await fetch(`${sim.url}/__sim/misses`)).json()) as { readonly flags: string }
      flags = report.flags
      await fetch(`${sim.url}/__sim/reset`, { method: 'POST' })
      if (flags === '') return of([again, await playTo('B', sim.url)], flags)
    } finally {
      await sim.stop()
    }
    return of(await playAll(['A', 'B'], [...args, ...words(flags)]), flags)
  }
  try {
    const a = await record('A')
    const b = await record('B')
    onProgress(`${name}: replays`)
    const { fidelity, other, flags } = await replayed(a)
    noteFidelity(note, a.exchanges.length, fidelity, flags)

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
    const [own, others] = await playAll(['A', 'B'], routes)
    const seen = judged(a, own as Played)
    note('seen', seen.figure, seen.right === seen.all, seen.wrong)
    const held = judged(b, others as Played)
    note('held out', held.figure, held.right >= HELD_OUT * held.all, held.wrong)
    note('checks', held.checksFigure, held.checks >= CHECKS * held.checksOfAll, held.failedChecks)
    const byReplay = judged(b, other)
    note('plain replay', byReplay.figure, byReplay.right <= held.right)
    withoutAnswers(at('mock'), at('mock-rules'))
    const [bare] = await playAll(['A'], ['run', at('mock-rules/routes.yaml'), '--seed', '7'])
    const alone = judged(a, bare as Played)
    note('rule alone', alone.figure, true, alone.wrong)

    await noteDrift(note, directory)
    if (wireMock !== undefined) {
      onProgress(`${name}: WireMock`)
      const server = await system.start(emptied(at('server-WireMock')))
      await wireMock.record(server.url)
      const recorded = await playTo('A', wireMock.url)
      await wireMock.stopRecording()
      await server.stop()
      const played = await playTo('A', wireMock.url)
      await wireMock.rewind()
      const stubs = judged(b, await playTo('B', wireMock.url))
      await wireMock.reset()
      const stubbed = fidelityOf(pairUp(recorded.exchanges, played.exchanges), (one, other) =>
        one.body.equals(other.body),
      )
      note(
        'WireMock',
        `${stubs.figure}, bytes ${stubbed.same}/${recorded.exchanges.length}`,
        stubs.right <= held.right && stubbed.same <= fidelity.same,
      )
    }
    return a.exchanges.length + b.exchanges.length
  } finally {
    await relay.close()
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

function noteFidelity(note: Note, all: number, { hits, same, missed, differing }: Fidelity, flags: string) {
  note('replay', `${hits}/${all}${flags === '' ? '' : ` with ${flags}`}`, hits === all, missed)
  note('bytes', `${same}/${all}`, same === all, differing)
}

interface Replayed {
  readonly fidelity: Fidelity
  /** The other session, put to the same recording. */
  readonly other: Played
  readonly flags: string
}

interface Inferred {
  readonly share: number
  readonly routes: readonly { readonly route: string; readonly exchanges: number; readonly byRule: number }[]
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
