import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { CommandModule } from 'yargs'
import { openRecording } from '../../recording/files.ts'
import { importHar } from '../../recording/formats/import-har.ts'
import { usePseudonymKey } from '../../recording/hide.ts'
import { loadPseudonymKey } from '../../recording/pseudonym-key.ts'
import { redact } from '../../recording/redact.ts'
import { RecordingUnusable } from '../../sim-error.ts'

interface ImportOptions {
  file: string
  output: string | undefined
}

/** `sim recordings import <file>` */
export const importRecording: CommandModule<object, ImportOptions> = {
  command: 'import <file>',
  describe: 'Add the exchanges of a HAR file to a recording, secrets redacted',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'HAR file of a browser or proxy' })
      .option('output', {
        alias: 'o',
        type: 'string',
        requiresArg: true,
        describe: 'Directory of the recording; recordings/<name of the file> unless told',
      })
      .example('$0 recordings import session.har', 'Make recordings/session'),
  async handler({ file, output = join('recordings', basename(file).replace(/\.har$/i, '')) }) {
    const { exchanges, skipped } = importHar(await readHar(file))
    usePseudonymKey(await loadPseudonymKey())
    const recording = await openRecording(output)
    try {
      for (const exchange of exchanges) await recording.append(redact(exchange))
    } finally {
      await recording.close()
    }
    process.stdout.write(`Imported ${exchanges.length} exchanges into ${output}\n`)
    for (const [reason, count] of skipped) process.stderr.write(`Left out ${count}: ${reason}\n`)
  },
}

async function readHar(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new RecordingUnusable(`Cannot read ${file}: ${error.message}`, { cause: error })
  })
}
