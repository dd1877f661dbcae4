import type { Argv } from 'yargs'
import type { GatewayDefaults } from '../../gateway.ts'
import { PRESETS } from '../../../plugins/chaos/presets.ts'
import { FAULTS } from '../../../plugins/faults/index.ts'
import type { ChaosOptions as Rules } from '../../state/chaos-rule.ts'
import { UsageInvalid } from '../../errors.ts'
import { given, within } from '../options.ts'
import { whole } from '../whole.ts'

/** Options about chaos by rules. */
export interface RuleOptions {
  chaos: string | undefined
  fault: string[]
}

/** Options of `sim proxy` about what the plugins do to every request. */
export interface ChaosOptions extends RuleOptions {
  bearerToken: string[]
  latencyMs: number | undefined
  jitterMs: number | undefined
  errorRate: number | undefined
  errorCodes: string | undefined
  rateLimit: number | undefined
}

/** Adds `--chaos` and `--fault`. */
export function withRuleOptions<T>(yargs: Argv<T>): Argv<T & RuleOptions> {
  return yargs
    .option('chaos', { type: 'string', choices: Object.keys(PRESETS), describe: 'Chaos by a plain name' })
    .option('fault', {
      type: 'string',
      array: true,
      default: [],
      describe: 'Break connections at a rate, as reset:0.1 or slow-body:1:5000 (bytes a second)',
    })
}

/** Adds `--bearer-token`, `--latency-ms`, `--error-rate` and the like. */
export function withChaosOptions<T>(yargs: Argv<T>): Argv<T & ChaosOptions> {
  return withRuleOptions(yargs)
    .option('bearer-token', {
      type: 'string',
      array: true,
      default: [],
      describe: 'Require one of these tokens',
    })
    .option('latency-ms', { type: 'number', describe: 'Hold every request this long' })
    .option('jitter-ms', { type: 'number', describe: 'Vary the latency by up to this much' })
    .option('error-rate', { type: 'number', describe: 'Share of requests that fail, 0 to 1' })
    .option('error-codes', { type: 'string', describe: 'Statuses they fail with, such as 500,503' })
    .option('rate-limit', {
      type: 'number',
      describe: 'Most requests admitted a second, for each route',
    }) as unknown as Argv<T & ChaosOptions>
}

/** What the options ask of the plugins. @throws UsageInvalid for a value that cannot be */
export function chaosOf(options: ChaosOptions): GatewayDefaults {
  const codes = options.errorCodes?.split(',').map((code) => statusOf(code))
  const { rateLimit } = options
  return {
    bearerTokens: options.bearerToken,
    ...given('latencyMs', within('latency-ms', options.latencyMs, 0, Infinity)),
    ...given('jitterMs', within('jitter-ms', options.jitterMs, 0, Infinity)),
    ...given('errorRate', within('error-rate', options.errorRate, 0, 1)),
    ...given('errorCodes', codes),
    ...given('rateLimit', rateLimit === undefined ? undefined : whole('rate-limit', rateLimit)),
  }
}

/**
 * Chaos by rules: those of the options before those that were there, in place of whose preset theirs is.
 * @throws UsageInvalid for a fault that cannot be
 */
export function rulesOfFlags({ chaos, fault }: RuleOptions, before: Rules = {}): Rules {
  const faults = Object.fromEntries(fault.map(readFault))
  const rules = fault.length === 0 ? [] : [{ name: 'faults', faults }]
  return { ...before, ...given('preset', chaos), rules: [...rules, ...(before.rules ?? [])] }
}

function readFault(text: string): [string, { rate: number; bytesPerSecond?: number }] {
  const [name = '', rate = '', speed] = text.split(':')
  const kind = FAULTS.map((each) => each.name).find((each) => each === name)
  const share = Number(rate)
  const bytes = speed === undefined ? undefined : Number(speed)
  const isGood = rate !== '' && share >= 0 && share <= 1
  const isSpeed = bytes === undefined || (kind === 'slow-body' && Number.isInteger(bytes) && bytes > 0)
  if (kind !== undefined && isGood && isSpeed)
    return [kind, { rate: share, ...given('bytesPerSecond', bytes) }]
  throw new UsageInvalid(
    `--fault must be one of ${FAULTS.map((each) => each.name).join(', ')} with its rate, such as reset:0.1, ` +
      `or slow-body:1:5000; '${text}' is not one`,
  )
}

function statusOf(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  throw new UsageInvalid(
    `--error-codes must be statuses from 400 to 599 such as 500,503; '${text}' is not one`,
  )
}
