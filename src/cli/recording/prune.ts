import type { Argv, CommandModule } from 'yargs'
import { UsageInvalid } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { whole } from '../../pipeline/option.ts'
import { pruneRecording } from '../../recording/files/rewrite.ts'
import { checkFlag } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { type OutputOptions, withOutputOptions } from './output-options.ts'

interface PruneOptions extends OutputOptions {
  recording: string
  maxExchanges: number | undefined
  maxMegabytes: number | undefined
  before: string | undefined
  duplicates: boolean
}

/** `sim recordings prune <recording>` */
export const pruneRecordings: CommandModule<object, PruneOptions> = {
  command: 'prune <recording>',
  describe: 'Take out what is old or said twice; no gateway may be writing it',
  builder: (yargs) =>
    withOutputOptions(yargs as unknown as Argv<PruneOptions>)
      .positional('recording', { type: 'string', demandOption: true, describe: 'Directory of the recording' })
      .option('max-exchanges', { type: 'number', describe: 'Keep this many, the newest' })
      .option('max-megabytes', { type: 'number', describe: 'Keep this much, the newest' })
      .option('before', {
        type: 'string',
        describe: 'Take out what began before this date, such as 2026-01-31',
      })
      .option('duplicates', {
        type: 'boolean',
        default: false,
        describe: 'Take out exchanges that repeat the one before of the same request',
      })
      .example('$0 recordings prune recordings/today --max-exchanges 1000', 'Keep the last thousand'),
  async handler({ recording, maxExchanges, maxMegabytes, before, duplicates, json, quiet }) {
    if (maxExchanges === undefined && maxMegabytes === undefined && before === undefined && !duplicates)
      throw new UsageInvalid(
        'Say what to take out: --max-exchanges, --max-megabytes, --before or --duplicates',
      )
    const megabytes = wholeOf('max-megabytes', maxMegabytes)
    const progress = createProgress('exchanges read', quiet)
    const { kept, removed, removedBodies } = await pruneRecording(recording, {
      maxExchanges: wholeOf('max-exchanges', maxExchanges),
      maxBytes: megabytes && megabytes * 1024 * 1024,
      before: before === undefined ? undefined : dateOf(before),
      duplicates,
      onProgress: (read) => progress.at(read),
    })
    progress.end()
    if (json) process.stdout.write(jsonText({ kept, removed, removedBodies }))
    else process.stdout.write(`Kept ${kept} exchanges, removed ${removed} and ${removedBodies} bodies\n`)
  },
}

function dateOf(text: string): Date {
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw new UsageInvalid(`--before must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, not '${text}'`)
}

function wholeOf(name: string, value: number | undefined): number | undefined {
  if (value !== undefined) checkFlag(name, value, whole())
  return value
}
