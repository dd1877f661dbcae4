// @ts-nocheck
import { mkdirSync, rmSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import v8 from 'node:v8'
import { runSim, startSim } from '../flow/sim-process.ts'
import { withRecorded } from './record-system.ts'
import { createRelay } from './relay.ts'
import { scoreOf } from './scores.ts'
import { play } from './system.ts'
process.env.SIM_STATE_DIR ??= '/tmp/authq/state'
const [name, ...more] = process.argv.slice(2)
const system = await import(`./systems/${name}.mjs`)
const directory = `/tmp/authq/${name}`
const at = (f) => join(directory, f)
mkdirSync(directory, { recursive: true })
const relay = await createRelay()
const playTo = (which, target) => { mkdirSync(at('client'), {recursive:true}); return play(relay, target, (base, check) => system.session(base, which, check, at('client'))) }
if (!existsSync(at('played')) || more.includes('--again')) {
  rmSync(directory, { recursive: true, force: true }); mkdirSync(directory, { recursive: true })
  const all = {}
  for (const which of ['A', 'B'])
    all[which] = await withRecorded({ name, system, directory, onProgress() {} }, which, relay, async (target) => playTo(which, target))
  writeFileSync(at('played'), v8.serialize(all))
}
const { A, B } = v8.deserialize(readFileSync(at('played')))
for (const [w, p] of Object.entries({A, B})) for (const c of p.checks) if (!c.ok) console.log('REAL', w, c.name, c.failure)
for (const p of [A, B]) for (const e of p.exchanges) { e.sent = Buffer.from(e.sent); e.body = Buffer.from(e.body) }
rmSync(at('mock'), { recursive: true, force: true })
const inferred = await runSim(['fixtures', 'from', at('A'), '-o', at('mock'), '--json'])
if (inferred.code !== 0) { console.log(inferred.stderr); process.exit(1) }
const found = JSON.parse(inferred.stdout)
const sim = await startSim(['run', at('mock/routes.yaml'), '--seed', '7'])
const known = [...A.exchanges, ...B.exchanges]
const a = scoreOf(A, await playTo('A', sim.url), known, system)
await fetch(`${sim.url}/__sim/reset`, { method: 'POST' })
const b = scoreOf(B, await playTo('B', sim.url), known, system)
await sim.stop()
console.log('seen', a.figure, ...a.wrong.map((l) => '\n  ' + l))
console.log('held out', b.figure, ...b.wrong.map((l) => '\n  ' + l.slice(0, 200)))
console.log('checks', b.checksFigure, ...b.failedChecks.map((l) => '\n  ' + l.slice(0, 260)))
console.log('by rule', found.share, ...found.routes.filter((r) => r.byRule < r.exchanges).map((r) => `\n  ${r.route}: ${r.byRule} of ${r.exchanges}`))
await relay.close(); process.exit(0)
