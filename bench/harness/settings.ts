import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What the command line and the environment say about a run. */
export interface Settings {
  readonly names: readonly string[]
  readonly rows: readonly string[]
  /** The folder whose `dist` is measured. */
  readonly build: string
  readonly rounds: number | undefined
  readonly seconds: number
  readonly needsHelp: boolean
  /** Whether lists are printed beside figures. */
  readonly shows: boolean
  readonly before: string | undefined
  readonly after: string | undefined
}

const OPTIONS = {
  row: { type: 'string', multiple: true },
  build: { type: 'string' },
  before: { type: 'string' },
  after: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  show: { type: 'boolean' },
} as const
const ROOT = resolve(import.meta.dirname, '../..')

/** Of this process. */
export const settings = readSettings(process.argv.slice(2))

function readSettings(args: readonly string[]): Settings {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  const { BENCH_ROUNDS, BENCH_SECONDS = '3' } = process.env
  const rounds = values.rounds ?? BENCH_ROUNDS
  // `npm run … --prefix bench` runs in that folder; INIT_CWD is where it was started.
  const folder = (path: string): string => resolve(process.env['INIT_CWD'] ?? '.', path)
  return {
    names: positionals,
    rows: values.row ?? [],
    build: values.build === undefined ? ROOT : folder(values.build),
    rounds: rounds === undefined ? undefined : Number(rounds),
    seconds: Number(values.seconds ?? BENCH_SECONDS),
    needsHelp: values.help ?? false,
    shows: values.show ?? false,
    before: values.before === undefined ? undefined : folder(values.before),
    after: values.after === undefined ? undefined : folder(values.after),
  }
}
