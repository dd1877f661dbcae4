import { jsonText } from '../../loaders/write-file.ts'
import { TEXT } from '../../pipeline/option.ts'
import { findRecordings, summarize, type RecordingSummary } from '../../recording/files/summary.ts'
import { OUTPUT_FLAGS, type Command, type Given, type OutputFlags } from '../command.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { sizeText, table } from '../text.ts'

/** `sim recordings list [directory]` */
export const listRecordings: Command = {
  command: 'list [directory]',
  describe: 'List the recordings in a directory',
  positionals: { directory: { ...TEXT, default: 'recordings', describe: 'Where recordings lie' } },
  flags: [OUTPUT_FLAGS],
  examples: [['$0 recordings list', 'What lies in recordings/']],
  async run({ directory, ...given }: Given & { readonly directory: string }) {
    const { json = false, quiet = false } = readFlags<OutputFlags>(given, OUTPUT_FLAGS)
    const progress = createProgress('exchanges read', quiet)
    const found: RecordingSummary[] = []
    let before = 0
    for (const recording of await findRecordings(directory)) {
      const summary = await summarize(recording, (read) => progress.at(before + read))
      before += summary.exchanges
      found.push(summary)
    }
    progress.end()
    if (json) process.stdout.write(jsonText(found))
    else if (found.length === 0) process.stdout.write(`No recording in ${directory}\n`)
    else process.stdout.write(table(HEADS, found.map(rowOf)))
  },
}

const HEADS = ['recording', 'exchanges', 'size', 'first', 'last', 'hosts']

function rowOf({ directory, exchanges, bytes, first, last, hosts }: RecordingSummary): (string | number)[] {
  const shown = hosts.length > 3 ? [...hosts.slice(0, 3), `and ${hosts.length - 3} more`] : hosts
  return [directory, exchanges, sizeText(bytes), first ?? '', last ?? '', shown.join(', ')]
}
