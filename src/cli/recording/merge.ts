import { UsageInvalid } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { number, oneOf, TEXT, type Option } from '../../pipeline/option.ts'
import {
  createPartOf,
  createSame,
  mergedLines,
  type SourceLine,
  type SplitBy,
  writeParts,
} from '../../recording/files/operations.ts'
import { sessionOf } from '../../recording/files/select.ts'
import { toggle, type Command, type Given } from '../command.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { counted, table } from '../text.ts'
import { requireRecording, WRITE_FLAGS, type WriteFlags } from './change.ts'
import { readSelect, SELECT_FLAGS } from './select-flags.ts'

const OUTPUT: Option = {
  ...TEXT,
  flag: {
    name: 'output',
    alias: 'o',
    describe: 'Directory to write, which is not there yet',
    required: true,
    requiresArg: true,
  },
}

interface MergeFlags extends WriteFlags {
  readonly output: string
  readonly duplicates: boolean | undefined
}

const MERGE_FLAGS: Readonly<Record<keyof MergeFlags, Option>> = {
  ...WRITE_FLAGS,
  output: OUTPUT,
  duplicates: toggle(
    'duplicates',
    'Leave out exchanges that are the same in every respect, their times included',
  ),
}

/** `sim recordings merge <recordings..>` */
export const mergeRecordings: Command = {
  command: 'merge <recordings..>',
  describe: 'Write the exchanges of several recordings to a new one, in the order in which they ended',
  positionals: {
    recordings: {
      ...TEXT,
      describe: 'Directories of the recordings; one may hold a recording of each of several gateways',
    },
  },
  flags: [MERGE_FLAGS, SELECT_FLAGS],
  examples: [
    ['$0 recordings merge recordings/a recordings/b -o recordings/both', 'Make one of two'],
    ['$0 recordings merge recordings/staging -o recordings/all', 'Make one of those of all gateways'],
  ],
  async run({ recordings, ...given }: Given & { readonly recordings: readonly string[] | string }) {
    const flags = readFlags<MergeFlags>(given, MERGE_FLAGS)
    const { output, json, duplicates = false, quiet = false, dryRun: isDryRun = false } = flags
    const sources = [recordings].flat()
    for (const source of sources) await requireRecording(source)
    const isSame = createSame()
    const keys = createKeyCheck()
    let left = 0
    const lines = async function* (): AsyncGenerator<SourceLine> {
      for await (const line of mergedLines(sources, readSelect(given))) {
        keys.note(line)
        if (duplicates && isSame(line)) left++
        else yield line
      }
    }
    const progress = createProgress('exchanges merged', quiet)
    const onProgress = (read: number): void => progress.at(read)
    const parts = await writeParts(output, lines(), () => '', { isDryRun, onProgress })
    progress.end()
    const exchanges = parts.get('') ?? 0
    if (keys.areMixed())
      process.stderr.write(
        'No two of these recordings share a pseudonym: if they were made with different keys (redaction.key), a secret that is in several has several pseudonyms, and its user counts as several\n',
      )
    if (json === true)
      process.stdout.write(jsonText({ dryRun: isDryRun, output, exchanges, duplicates: left }))
    else if (exchanges === 0) process.stdout.write('No exchange fits\n')
    else
      process.stdout.write(
        `${isDryRun ? 'Would write' : 'Wrote'} ${counted(exchanges, 'exchange')} to ${output}${left > 0 ? `, without ${counted(left, 'duplicate')}` : ''}\n`,
      )
  },
}

/** As many pseudonyms of a recording as show whether another one has them too. */
const MAX_PSEUDONYMS = 50_000

// Which key a recording was made with is not in it.
function createKeyCheck(): { note(line: SourceLine): void; areMixed(): boolean } {
  const found = new Map<string, Set<string>>()
  return {
    note({ directory, text }) {
      const own = found.get(directory) ?? new Set()
      found.set(directory, own)
      if (own.size >= MAX_PSEUDONYMS) return
      for (const [pseudonym] of text.matchAll(/redacted-[0-9a-f]{16}/g)) own.add(pseudonym)
    },
    areMixed() {
      const sets = [...found.values()].filter((set) => set.size > 0)
      const sum = sets.reduce((total, set) => total + set.size, 0)
      return sets.length > 1 && new Set(sets.flatMap((set) => [...set])).size === sum
    },
  }
}

interface SplitFlags extends WriteFlags {
  readonly output: string
  readonly by: SplitBy
  readonly gapSeconds: number | undefined
}

const SPLIT_FLAGS: Readonly<Record<keyof SplitFlags, Option>> = {
  ...WRITE_FLAGS,
  output: OUTPUT,
  by: {
    ...oneOf(['host', 'session', 'gap']),
    flag: {
      name: 'by',
      describe: 'One recording for each host, each session, or each time between pauses',
      required: true,
      requiresArg: true,
    },
  },
  gapSeconds: {
    ...number(0, Infinity, 'a number of seconds, 0 or more'),
    flag: { name: 'gap-seconds', describe: 'How long nothing happens between two parts', otherwise: '60' },
  },
}

/** `sim recordings split <recording>` */
export const splitRecording: Command = {
  command: 'split <recording>',
  describe: 'Write the exchanges of a recording to several new ones',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording, which stays as it is' } },
  flags: [SPLIT_FLAGS, SELECT_FLAGS],
  examples: [
    ['$0 recordings split recordings/today --by host -o recordings/hosts', 'A recording for each host'],
    ['$0 recordings split recordings/today --by gap --gap-seconds 30 -o parts', 'One for each run'],
  ],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const flags = readFlags<SplitFlags>(given, SPLIT_FLAGS)
    const { output, by, gapSeconds, json, quiet = false, dryRun: isDryRun = false } = flags
    if (gapSeconds !== undefined && by !== 'gap') throw new UsageInvalid('--gap-seconds is for --by gap')
    await requireRecording(recording)
    const progress = createProgress('exchanges read', quiet)
    const onProgress = (read: number): void => progress.at(read)
    const partOf = createPartOf(by, (gapSeconds ?? 60) * 1000, sessionOf)
    const lines = mergedLines([recording], readSelect(given))
    const parts = [...(await writeParts(output, lines, partOf, { isDryRun, onProgress }))]
    progress.end()
    if (json === true)
      process.stdout.write(jsonText({ dryRun: isDryRun, output, parts: Object.fromEntries(parts) }))
    else if (parts.length === 0) process.stdout.write('No exchange fits\n')
    else {
      process.stdout.write(`${isDryRun ? 'Would write' : 'Wrote'} to ${output}\n`)
      process.stdout.write(table(['recording', 'exchanges'], parts))
    }
  },
}
