import { UsageInvalid } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { TEXT, whole, type Option } from '../../pipeline/option.ts'
import { pruneRecording } from '../../recording/files/rewrite.ts'
import { alone } from '../../recording/files/writers.ts'
import { toggle, OUTPUT_FLAGS, type Command, type Given, type OutputFlags } from '../command.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { requireOwnRecording } from './change.ts'
import { readDate } from './select-flags.ts'

interface PruneFlags extends OutputFlags {
  readonly maxExchanges: number | undefined
  readonly maxMegabytes: number | undefined
  readonly before: Date | undefined
  readonly duplicates: boolean | undefined
}

const FLAGS: Readonly<Record<keyof PruneFlags, Option>> = {
  ...OUTPUT_FLAGS,
  maxExchanges: { ...whole(), flag: { name: 'max-exchanges', describe: 'Keep this many, the newest' } },
  maxMegabytes: { ...whole(), flag: { name: 'max-megabytes', describe: 'Keep this much, the newest' } },
  before: {
    ...TEXT,
    flag: {
      name: 'before',
      describe: 'Take out what began before this date, such as 2026-01-31',
      read: (text: string) => readDate('before', text),
    },
  },
  duplicates: toggle('duplicates', 'Take out exchanges that repeat the one before of the same request'),
}

/** `sim recordings prune <recording>` */
export const pruneRecordings: Command = {
  command: 'prune <recording>',
  describe: 'Take out what is old or said twice; no gateway may be writing it',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [FLAGS],
  examples: [['$0 recordings prune recordings/today --max-exchanges 1000', 'Keep the last thousand']],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const { json, quiet = false, ...flags } = readFlags<PruneFlags>(given, FLAGS)
    const { maxExchanges, maxMegabytes, before, duplicates = false } = flags
    if (maxExchanges === undefined && maxMegabytes === undefined && before === undefined && !duplicates)
      throw new UsageInvalid(
        'Say what to take out: --max-exchanges, --max-megabytes, --before or --duplicates',
      )
    await requireOwnRecording(recording)
    const progress = createProgress('exchanges read', quiet)
    const options = {
      ...{ maxExchanges, maxBytes: maxMegabytes && maxMegabytes * 1024 * 1024, before, duplicates },
      onProgress: (read: number) => progress.at(read),
    }
    const { kept, removed, removedBodies } = await alone(recording, () => pruneRecording(recording, options))
    progress.end()
    if (json === true) process.stdout.write(jsonText({ kept, removed, removedBodies }))
    else process.stdout.write(`Kept ${kept} exchanges, removed ${removed} and ${removedBodies} bodies\n`)
  },
}
