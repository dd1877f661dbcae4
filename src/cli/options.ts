import type { Argv } from 'yargs'
import { UsageInvalid } from '../sim-error.ts'

/** Options of every command that serves. */
export interface ServeOptions {
  port: number
  host: string
  seed: number | undefined
}

/** Adds `--port`, `--host` and `--seed`. */
export function withServeOptions<T>(yargs: Argv<T>, defaultPort: number): Argv<T & ServeOptions> {
  return yargs
    .option('port', {
      type: 'number',
      default: defaultPort,
      describe: 'Port to listen on; 0 picks a free one',
      coerce: (value: number) => whole('port', value, 65_535),
    })
    .option('host', { type: 'string', default: '127.0.0.1', describe: 'Address to listen on' })
    .option('seed', {
      type: 'number',
      describe: 'Makes content and chaos repeatable; drawn and printed if not given',
      coerce: (value: number | undefined) => (value === undefined ? undefined : whole('seed', value)),
    })
}

/** A whole number of an option. @throws UsageInvalid for anything else */
export function whole(name: string, value: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value
  throw new UsageInvalid(`--${name} must be a whole number from 0 to ${most}`)
}

/** A number of an option within bounds. @throws UsageInvalid for anything else */
export function within(
  name: string,
  value: number | undefined,
  least: number,
  most: number,
): number | undefined {
  if (value === undefined || (value >= least && value <= most)) return value
  throw new UsageInvalid(
    `--${name} must be a number ${most === Infinity ? `of ${least} or more` : `from ${least} to ${most}`}`,
  )
}

/** The positional of every command that reads declared routes. */
export interface TargetOption {
  target: string
}

/** Adds `<target>`. */
export function withTarget<T>(yargs: Argv<T>): Argv<T & TargetOption> {
  return yargs.positional('target', {
    type: 'string',
    demandOption: true,
    describe: 'module[:attr] of a SimAPI (.ts, .js, .mjs)',
  })
}
