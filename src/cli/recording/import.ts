import { lstatSync, readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { RecordingUnusable } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { merge } from '../../options/merge.ts'
import { REDACT_OPTIONS } from '../../options/recording-options.ts'
import { TEXT, type Option } from '../../pipeline/option.ts'
import type { Exchange } from '../../recording/exchange.ts'
import { openRecording } from '../../recording/files/recording-files.ts'
import { importHar } from '../../recording/formats/import-har.ts'
import { loadPseudonymKey } from '../../recording/redaction/pseudonym-key.ts'
import { createRedactor, type Redactor } from '../../recording/redaction/redactor.ts'
import type { RedactionRules } from '../../recording/redaction/secrets.ts'
import { OUTPUT_FLAGS, type Command, type Given, type OutputFlags } from '../command.ts'
import { CONFIG_FLAGS, readConfig } from '../config-flag.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'

interface ImportFlags extends OutputFlags {
  readonly output: string | undefined
}

const FLAGS: Readonly<Record<keyof ImportFlags, Option>> = {
  ...OUTPUT_FLAGS,
  output: {
    ...TEXT,
    flag: {
      name: 'output',
      alias: 'o',
      describe: 'Directory of the recording; recordings/<name of the file> if not given',
      requiresArg: true,
    },
  },
}

/** `sim recordings import <file>` */
export const importRecording: Command = {
  command: 'import <file>',
  describe: 'Add the exchanges of a HAR file to a recording, secrets redacted',
  positionals: { file: { ...TEXT, describe: 'HAR file of a browser or proxy' } },
  flags: [FLAGS, CONFIG_FLAGS, REDACT_OPTIONS],
  examples: [['$0 recordings import session.har', 'Make recordings/session']],
  async run({ file, ...given }: Given & { readonly file: string }) {
    const flags = readFlags<ImportFlags>(given, FLAGS)
    const { output = join('recordings', basename(file).replace(/\.har$/i, '')), json, quiet = false } = flags
    const rules = merge(
      readConfig(given).options.redact ?? {},
      readFlags<RedactionRules>(given, REDACT_OPTIONS),
    )
    const { exchanges, skipped } = importIn(file, await readHar(file))
    const redactor = createRedactor(rules, await loadPseudonymKey())
    await write(output, exchanges, redactor, quiet)
    if (json === true) {
      const left = Object.fromEntries(skipped)
      process.stdout.write(jsonText({ directory: output, imported: exchanges.length, skipped: left }))
      return
    }
    process.stdout.write(`Imported ${exchanges.length} exchanges into ${output}\n`)
    for (const [reason, count] of skipped) process.stderr.write(`Left out ${count}: ${reason}\n`)
  },
}

async function write(
  directory: string,
  exchanges: readonly Exchange[],
  redactor: Redactor,
  isQuiet: boolean,
): Promise<void> {
  const progress = createProgress(`of ${exchanges.length} exchanges imported`, isQuiet)
  const recording = await openRecording(directory)
  try {
    for (const [index, exchange] of exchanges.entries()) {
      await recording.append(redactor.exchange(exchange))
      progress.at(index + 1)
    }
  } finally {
    progress.end()
    await recording.close()
  }
}

async function readHar(file: string): Promise<string> {
  const bytes = await readWhole(file).catch((error: Error) => {
    throw new RecordingUnusable(`Cannot read ${file}: ${error.message}`, { cause: error })
  })
  if (bytes.subarray(0, ZIP.length).equals(ZIP))
    throw new RecordingUnusable(
      `${file} is a ZIP archive: unpack it, and import the .har file that was in it`,
    )
  return bytes.toString()
}

// What is neither a file nor a pipe may never end.
async function readWhole(file: string): Promise<Buffer> {
  const state = await stat(file)
  if (!state.isFile() && !state.isFIFO()) throw new Error('it is not a file')
  if (state.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 2 ** 20} MiB`)
  return readFile(file)
}

/** No text is longer. */
const MAX_BYTES = 512 * 2 ** 20
const ZIP = Buffer.from('PK\u0003\u0004')

function importIn(file: string, text: string): ReturnType<typeof importHar> {
  try {
    return importHar(text, (name) => readBeside(file, name))
  } catch (error) {
    throw error instanceof RecordingUnusable
      ? new RecordingUnusable(`${file}: ${error.message}`, { cause: error })
      : error
  }
}

// A HAR file may come from someone else: neither a path nor a link leads it to other files.
function readBeside(file: string, name: string): Buffer | undefined {
  const path = join(dirname(file), basename(name))
  const isFile =
    basename(name) === name &&
    !name.includes('\0') &&
    lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? readFileSync(path) : undefined
}
