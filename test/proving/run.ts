// npm run proving: puts real servers and their clients to sim, and prints how far each bar is reached.
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BARS, type Result } from './bars.ts'
import { proveSystem } from './prove-system.ts'
import { hasCommand } from './server.ts'
import type { System } from './system.ts'
import { startWireMock } from './wiremock.ts'

const SYSTEMS = join(import.meta.dirname, 'systems')
const RUNS = join(import.meta.dirname, 'runs')
const USAGE = `npm run proving -- [NAME…]
  NAME         files of test/proving/systems, without their ending; all, if none is named
  --wiremock   compares with WireMock, too
  --lines 5    how much is printed of what falls short
What each run writes stays in test/proving/runs/NAME until the next.
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    wiremock: { type: 'boolean', default: false },
    lines: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
})
const there = readdirSync(SYSTEMS)
  .filter((file) => /\.(?:mjs|ts)$/.test(file))
  .map((file) => file.replace(/\.\w+$/, ''))
const unknown = positionals.filter((name) => !there.includes(name))
if (values.help || unknown.length > 0) {
  if (unknown.length > 0)
    process.stderr.write(`There is no system ${unknown.join(', ')}; there are ${there.join(', ')}\n\n`)
  process.stdout.write(USAGE)
  process.exit(values.help ? 0 : 2)
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)
// Keys that recordings are redacted with are not those of a user.
process.env['SIM_STATE_DIR'] ??= mkdtempSync(join(tmpdir(), 'sim-proving-state-'))
mkdirSync(join(RUNS, 'wiremock'), { recursive: true })
const wireMock = values.wiremock ? await startWireMock(join(RUNS, 'wiremock')) : undefined
const results: Result[] = []
let failed = false
for (const name of positionals.length > 0 ? positionals : there) {
  const system = await load(name)
  if (typeof system === 'string') {
    process.stderr.write(`skipped: ${name}: ${system}\n`)
    continue
  }
  try {
    const directory = join(RUNS, name)
    const onProgress = (what: string): void => void process.stderr.write(`${what}\n`)
    const result = await proveSystem({ name, system, directory, wireMock, onProgress })
    results.push(result)
    if (printResult(result, system)) failed = true
  } catch (error) {
    failed = true
    process.stderr.write(`${name}: ${error instanceof Error ? error.stack : String(error)}\n`)
  }
}
await wireMock?.stop()
printTable()
process.exit(failed || results.length === 0 ? 1 : 0)

/** The module of a system, or why it cannot be run here. */
async function load(name: string): Promise<System | string> {
  const file = ['mjs', 'ts'].map((ending) => join(SYSTEMS, `${name}.${ending}`)).find(existsSync) ?? ''
  try {
    const system = (await import(file)) as System
    const missing = (system.needs ?? []).filter((program) => !hasCommand(program))
    return missing.length === 0 ? system : `${missing.join(', ')} is not installed`
  } catch (error) {
    if (!(error instanceof Error) || !/Cannot find (?:module|package)/.test(error.message)) throw error
    return `${error.message.split('\n')[0]}: npm ci --prefix test/proving`
  }
}

/** Prints what is short of a system; returns whether that is not expected. */
function printResult({ name, measured }: Result, { short = {} }: System): boolean {
  let isWrong = false
  for (const bar of BARS) {
    const { ok, why, figure } = measured[bar] ?? { ok: true, why: [], figure: '' }
    const expected = short[bar]
    if (ok && expected !== undefined && measured[bar] !== undefined)
      print(`${name}: ${bar}: ${figure} is reached, so it need not be listed as short any more`)
    if (ok) continue
    if (expected === undefined) isWrong = true
    print(`${name}: ${bar}: ${figure} ✗${expected === undefined ? '' : ` (${expected})`}`)
    for (const line of why.slice(0, Number(values.lines))) print(`    ${line.slice(0, 300)}`)
    if (why.length > Number(values.lines)) print(`    and ${why.length - Number(values.lines)} more`)
  }
  return isWrong
}

function printTable(): void {
  const head = ['system', 'exchanges', ...BARS]
  const rows = results.map(({ name, exchanges, measured }) => [
    name,
    String(exchanges),
    ...BARS.map((bar) => {
      const each = measured[bar]
      return each === undefined ? '' : `${each.figure} ${each.ok ? '✓' : '✗'}`
    }),
  ])
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  print(['', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'))
}
