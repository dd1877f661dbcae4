import type { Argv } from 'yargs'
import type { GatewayOptions } from '../../gateway.ts'
import { MODE_NAMES, type ModeName } from '../../modes/mode-name.ts'
import { whole } from '../whole.ts'

/** Options of `sim proxy` about where requests go, and who answers them. */
export interface TargetsOptions {
  upstream: string | undefined
  allowHost: string[]
  mode: ModeName | undefined
  record: string | undefined
  recording: string | undefined
  maxHeaderBytes: number | undefined
}

/** Adds `--upstream`, `--mode`, `--record` and the like. */
export function withTargetsOptions<T>(yargs: Argv<T>): Argv<T & TargetsOptions> {
  return yargs
    .option('upstream', { type: 'string', describe: 'Base URL that undeclared requests are forwarded to' })
    .option('allow-host', {
      type: 'string',
      array: true,
      default: [],
      describe: 'Hosts that proxy clients may have requests forwarded to, such as *.example.com',
    })
    .option('mode', { choices: MODE_NAMES, describe: 'Who answers; simulate if not given' })
    .option('record', {
      type: 'string',
      describe: 'Save what is forwarded to this directory, secrets redacted',
    })
    .option('recording', {
      type: 'string',
      describe: 'The recording that replay, spy, new-episodes and diff read',
    })
    .option('max-header-bytes', {
      type: 'number',
      describe: 'Most bytes of a request’s header',
    }) as unknown as Argv<T & TargetsOptions>
}

/** What the options say about targets. @throws UsageInvalid for a value that cannot be */
export function targetsOf(options: TargetsOptions): Partial<GatewayOptions> {
  const { upstream, allowHost, mode, record, recording, maxHeaderBytes } = options
  return {
    upstream,
    targets: { proxy: true, allow: allowHost },
    modes: { mode },
    record,
    recording,
    limits: {
      maxHeaderBytes:
        maxHeaderBytes === undefined ? undefined : whole('max-header-bytes', maxHeaderBytes, 1024 * 1024),
    },
  }
}
