import { RecordingUnusable, UsageInvalid } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { merge } from '../../options/merge.ts'
import { REDACT_OPTIONS } from '../../options/recording-options.ts'
import { TEXT, type Option } from '../../pipeline/option.ts'
import { redacting, removing, renamingHost } from '../../recording/files/change-exchange.ts'
import { changeRecording, type ChangeExchange } from '../../recording/files/operations.ts'
import { isRecording, partsOf } from '../../recording/files/parts.ts'
import { loadPseudonymKey } from '../../recording/redaction/pseudonym-key.ts'
import { createRedactor } from '../../recording/redaction/redactor.ts'
import type { RedactionRules } from '../../recording/redaction/secrets.ts'
import { OUTPUT_FLAGS, toggle, type Command, type Given, type OutputFlags } from '../command.ts'
import { CONFIG_FLAGS, readConfig } from '../config-flag.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { counted } from '../text.ts'
import { hasSelection, readSelect, SELECT_FLAGS } from './select-flags.ts'

/** Flags of commands that write recordings. */
export interface WriteFlags extends OutputFlags {
  readonly dryRun: boolean | undefined
}

/** `--dry-run`, `--json` and `--quiet` */
export const WRITE_FLAGS: Readonly<Record<keyof WriteFlags, Option>> = {
  ...OUTPUT_FLAGS,
  dryRun: toggle('dry-run', 'Print what would be done, and do nothing'),
}

/** @throws RecordingUnusable where a directory is not a recording, of one gateway or of several */
export async function requireRecording(directory: string): Promise<void> {
  if ((await partsOf(directory)).length === 0)
    throw new RecordingUnusable(`${directory} is not a recording: there is no exchanges.ndjson in it`)
}

/** @throws RecordingUnusable where a directory is not a recording that can be changed, such as one of several gateways */
export async function requireOwnRecording(directory: string): Promise<void> {
  await requireRecording(directory)
  if (await isRecording(directory)) return
  const parts = await partsOf(directory)
  throw new RecordingUnusable(
    `${directory} holds a recording of each of ${counted(parts.length, 'gateway')}: change ${parts[0]} and the others, or make one of them first with sim recordings merge ${directory} -o <recording>`,
  )
}

type RecordingGiven = Given & { readonly recording: string }

const RECORDING_ARGUMENT = { recording: { ...TEXT, describe: 'Directory of the recording' } }

/** `sim recordings delete <recording>` */
export const deleteExchanges: Command = {
  command: 'delete <recording>',
  describe: 'Take exchanges out of a recording; no gateway may be writing it',
  positionals: RECORDING_ARGUMENT,
  flags: [SELECT_FLAGS, WRITE_FLAGS],
  examples: [
    ["$0 recordings delete recordings/today --path '/health' --dry-run", 'Say how many there are'],
    ['$0 recordings delete recordings/today --status 5xx', 'Take out what failed'],
  ],
  async run(given: RecordingGiven) {
    if (!hasSelection(given))
      throw new UsageInvalid('Say what to take out, such as --path /health or --status 5xx')
    await change(given, removing(readSelect(given)))
  },
}

interface RenameGiven extends RecordingGiven {
  readonly from: string
  readonly to: string
}

const RENAME_FLAGS = { bodies: toggle('bodies', 'Rename it in the text of bodies too') }

/** `sim recordings rename-host <recording> <from> <to>` */
export const renameHost: Command = {
  command: 'rename-host <recording> <from> <to>',
  describe: 'Give the exchanges of a host another one, in URLs and headers; no gateway may be writing it',
  positionals: {
    ...RECORDING_ARGUMENT,
    from: { ...TEXT, describe: 'Host as recorded, with its port if it has one' },
    to: { ...TEXT, describe: 'The host to write in its place' },
  },
  flags: [RENAME_FLAGS, SELECT_FLAGS, WRITE_FLAGS],
  examples: [
    ['$0 recordings rename-host recordings/today 127.0.0.1:9000 api.example.com', 'As in production'],
  ],
  async run({ from, to, ...given }: RenameGiven) {
    for (const host of [from, to])
      if (!URL.canParse(`http://${host}/`) || /[/?#@\s]/.test(host))
        throw new UsageInvalid(`'${host}' is not a host such as api.example.com or 127.0.0.1:9000`)
    const { bodies = false } = readFlags<{ readonly bodies: boolean | undefined }>(given, RENAME_FLAGS)
    await change(given, renamingHost(given.recording, from, to, readSelect(given), bodies))
  },
}

/** `sim recordings redact <recording>` */
export const redactRecording: Command = {
  command: 'redact <recording>',
  describe: 'Hide in a recording what is hidden now, by further rules; no gateway may be writing it',
  positionals: RECORDING_ARGUMENT,
  flags: [REDACT_OPTIONS, CONFIG_FLAGS, SELECT_FLAGS, WRITE_FLAGS],
  examples: [
    ['$0 recordings redact recordings/today --redact customer_name', 'Hide a field that was kept'],
    [String.raw`$0 recordings redact recordings/today --redact-pattern '\d{3}-\d{2}-\d{4}'`, 'Hide by form'],
  ],
  async run(given: RecordingGiven) {
    const rules = merge(
      readConfig(given).options.redact ?? {},
      readFlags<RedactionRules>(given, REDACT_OPTIONS),
    )
    const redactor = createRedactor(rules, await loadPseudonymKey())
    await change(given, redacting(given.recording, redactor, readSelect(given)))
  },
}

async function change({ recording, ...given }: RecordingGiven, by: ChangeExchange): Promise<void> {
  const { json, quiet = false, dryRun: isDryRun = false } = readFlags<WriteFlags>(given, WRITE_FLAGS)
  await requireOwnRecording(recording)
  const progress = createProgress('exchanges read', quiet)
  const onProgress = (read: number): void => progress.at(read)
  const done = await changeRecording(recording, by, { isDryRun, onProgress })
  progress.end()
  if (json === true) {
    process.stdout.write(jsonText({ dryRun: isDryRun, ...done }))
    return
  }
  const { kept, changed, removed, removedBodies } = done
  const [keep, remove] = isDryRun ? ['Would keep', 'remove'] : ['Kept', 'removed']
  const bodies = removedBodies === 0 ? '' : ` and ${removedBodies} bodies`
  process.stdout.write(
    `${keep} ${counted(kept, 'exchange')}, ${changed} of them changed, and ${remove} ${removed}${bodies}\n`,
  )
}
