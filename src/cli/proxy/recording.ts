import type { Argv } from 'yargs'
import type { GatewayOptions } from '../../gateway.ts'
import { createRedactor } from '../../recording/redaction/redactor.ts'
import type { RedactionRules } from '../../recording/redaction/secrets.ts'
import { UsageInvalid } from '../../errors.ts'
import { asUsage } from '../options.ts'
import { whole } from '../whole.ts'

/** Options about what recordings hide. */
export interface RedactOptions {
  redact: string[]
  redactExcept: string[]
  redactPattern: string[]
}

/** Options of `sim proxy` about how it records. */
export interface RecordOptions extends RedactOptions {
  recordMaxExchanges: number | undefined
  recordMaxMegabytes: number | undefined
  recordDedupe: boolean | undefined
}

/** Adds `--redact`, `--redact-except` and `--redact-pattern`. */
export function withRedactOptions<T>(yargs: Argv<T>): Argv<T & RedactOptions> {
  const list = { type: 'string', array: true, default: [] as string[] } as const
  return yargs
    .option('redact', {
      ...list,
      describe: 'Names of headers, cookies, fields and parameters to hide too, such as x-internal-*',
    })
    .option('redact-except', { ...list, describe: 'Names not to hide' })
    .option('redact-pattern', {
      ...list,
      describe: 'Regular expressions of secrets to hide wherever they are',
    }) as unknown as Argv<T & RedactOptions>
}

/** Adds `--record-max-exchanges` and the like. */
export function withRecordOptions<T>(yargs: Argv<T>): Argv<T & RecordOptions> {
  return withRedactOptions(yargs)
    .option('record-max-exchanges', {
      type: 'number',
      describe: 'Most exchanges of a recording; the oldest go first',
    })
    .option('record-max-megabytes', {
      type: 'number',
      describe: 'Most megabytes of a recording, bodies included; the oldest exchanges go first',
    })
    .option('record-dedupe', {
      type: 'boolean',
      describe: 'Leave out exchanges that repeat the one before of the same request',
    }) as unknown as Argv<T & RecordOptions>
}

/** What the options say about recording. @throws UsageInvalid for a value that cannot be */
export function recordOf(options: RecordOptions): Partial<GatewayOptions> {
  const { recordMaxExchanges, recordMaxMegabytes, recordDedupe } = options
  return {
    recordLimits: {
      maxExchanges: atLeastOne('record-max-exchanges', recordMaxExchanges),
      maxBytes: megabytes(atLeastOne('record-max-megabytes', recordMaxMegabytes)),
      dedupe: recordDedupe,
    },
    redact: redactOf(options),
  }
}

/** What the options say about hiding. @throws UsageInvalid for a pattern that cannot be */
export function redactOf({ redact, redactExcept, redactPattern }: RedactOptions): RedactionRules {
  const rules = { names: redact, except: redactExcept, patterns: redactPattern }
  asUsage(() => createRedactor(rules))
  return rules
}

function atLeastOne(name: string, value: number | undefined): number | undefined {
  if (value === 0) throw new UsageInvalid(`--${name} must be 1 or more`)
  return value === undefined ? undefined : whole(name, value)
}

function megabytes(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value * 1024 * 1024
}
