import type { Argv } from 'yargs'
import {
  AFTER_LAST,
  REPLAY_CHECKS,
  TIMINGS,
  type ReplayOptions as Replay,
} from '../../recording/replay/replay-options.ts'
import { UsageInvalid } from '../../errors.ts'

/** Options of `sim proxy` about how recorded answers are found and given. */
export interface ReplayOptions {
  matchHeader: string[]
  ignoreHost: boolean | undefined
  ignoreQuery: string[]
  ignoreBody: string[]
  ignorePattern: string[]
  replayAfter: Replay['after']
  replayTiming: Replay['timing']
  replaySpeed: number | undefined
}

/** Adds `--match-header`, `--ignore-query`, `--replay-timing` and the like. */
export function withReplayOptions<T>(yargs: Argv<T>): Argv<T & ReplayOptions> {
  const texts = { type: 'string', array: true, default: [] } as const
  return yargs
    .option('match-header', { ...texts, describe: 'Headers that must be as recorded' })
    .option('ignore-host', { type: 'boolean', describe: 'Replay what was recorded of any host' })
    .option('ignore-query', {
      ...texts,
      describe: 'Query parameters that need not be as recorded, such as page or utm_*',
    })
    .option('ignore-body', {
      ...texts,
      describe: 'JSON pointers to what in bodies and forms need not be as recorded, such as /items/*/id',
    })
    .option('ignore-pattern', {
      ...texts,
      describe: 'Regular expressions for what differs from run to run, in path, query and bodies',
    })
    .option('replay-after', {
      choices: AFTER_LAST,
      describe: 'After the last recorded answer; hold if not given',
    })
    .option('replay-timing', {
      choices: TIMINGS,
      describe: 'What is replayed at its recorded times; streams if not given',
    })
    .option('replay-speed', {
      type: 'number',
      describe: 'How many times faster than recorded',
    }) as unknown as Argv<T & ReplayOptions>
}

const FLAGS = {
  matchHeader: 'matchHeaders',
  ignoreHost: 'ignoreHost',
  ignoreQuery: 'ignoreQuery',
  ignoreBody: 'ignoreBody',
  ignorePattern: 'ignorePatterns',
  replayAfter: 'after',
  replayTiming: 'timing',
  replaySpeed: 'speed',
} as const satisfies Readonly<Record<keyof ReplayOptions, keyof Replay>>

/** What the options say about replaying. @throws UsageInvalid for a value that cannot be */
export function replayOf(options: ReplayOptions): Replay {
  const read: Partial<Record<keyof Replay, unknown>> = {}
  for (const [flag, name] of Object.entries(FLAGS)) {
    const value = options[flag as keyof ReplayOptions]
    const wanted = value === undefined ? undefined : REPLAY_CHECKS[name](value)
    if (wanted !== undefined)
      throw new UsageInvalid(`--${kebab(flag)} must be ${wanted}, not ${JSON.stringify(value)}`)
    read[name] = value
  }
  return read as Replay
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
