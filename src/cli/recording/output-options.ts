import type { Argv } from 'yargs'

/** Options about what is printed. */
export interface OutputOptions {
  json: boolean
  quiet: boolean
}

/** Adds `--json` and `--quiet`. */
export function withOutputOptions<T>(yargs: Argv<T>): Argv<T & OutputOptions> {
  return yargs.option('json', { type: 'boolean', default: false, describe: 'Print JSON' }).option('quiet', {
    alias: 'q',
    type: 'boolean',
    default: false,
    describe: 'Say nothing of progress',
  })
}
