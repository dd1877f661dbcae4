import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CommandModule } from 'yargs'
import { RecordingUnusable } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { merge } from '../../options/merge.ts'
import { REDACT_OPTIONS } from '../../options/recording-options.ts'
import type { Exchange } from '../../recording/exchange.ts'
import { openRecording } from '../../recording/files/recording-files.ts'
import { importHar } from '../../recording/formats/import-har.ts'
import { loadPseudonymKey } from '../../recording/redaction/pseudonym-key.ts'
import { createRedactor, type Redactor } from '../../recording/redaction/redactor.ts'
import type { RedactionRules } from '../../recording/redaction/secrets.ts'
import { CONFIG_FLAGS, readConfig } from '../config-flag.ts'
import { addFlags, readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { type OutputOptions, withOutputOptions } from './output-options.ts'

interface ImportOptions extends OutputOptions {
  file: string
  output: string | undefined
}

/** `sim recordings import <file>` */
export const importRecording: CommandModule<object, ImportOptions> = {
  command: 'import <file>',
  describe: 'Add the exchanges of a HAR file to a recording, secrets redacted',
  builder: (yargs) =>
    addFlags(withOutputOptions(yargs), CONFIG_FLAGS, REDACT_OPTIONS)
      .positional('file', { type: 'string', demandOption: true, describe: 'HAR file of a browser or proxy' })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Directory of the recording; recordings/<name of the file> unless told',
      })
      .example('$0 recordings import session.har', 'Make recordings/session'),
  async handler({ file, output = join('recordings', basename(file).replace(/\.har$/i, '')), ...options }) {
    const rules = merge(
      readConfig(options).options.redact ?? {},
      readFlags<RedactionRules>(options, REDACT_OPTIONS),
    )
    const { exchanges, skipped } = importHar(await readHar(file))
    const redactor = createRedactor(rules, await loadPseudonymKey())
    await write(output, exchanges, redactor, options.quiet)
    if (options.json) {
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
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new RecordingUnusable(`Cannot read ${file}: ${error.message}`, { cause: error })
  })
}
