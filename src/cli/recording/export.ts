import { open, rename, rm } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { FileNotWritten } from '../../errors.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { oneOf, TEXT, type Option } from '../../pipeline/option.ts'
import type { Exchange } from '../../recording/exchange.ts'
import { readExchanges } from '../../recording/files/recording-files.ts'
import { readBody } from '../../recording/files/read-body.ts'
import { EXPORT_FORMATS, type ExportFormat, exportText } from '../../recording/formats/export-stream.ts'
import { version } from '../command-line.ts'
import type { Command, Given } from '../command.ts'
import { readFlags } from '../flags.ts'
import { createProgress } from '../progress.ts'
import { counted } from '../text.ts'
import { requireRecording, WRITE_FLAGS, type WriteFlags } from './change.ts'
import { readSelect, SELECT_FLAGS } from './select-flags.ts'

interface ExportFlags extends WriteFlags {
  readonly format: ExportFormat
  readonly output: string | undefined
}

const FLAGS: Readonly<Record<keyof ExportFlags, Option>> = {
  ...WRITE_FLAGS,
  format: {
    ...oneOf(EXPORT_FORMATS),
    flag: { name: 'format', alias: 'f', describe: 'For which program', required: true, requiresArg: true },
  },
  output: {
    ...TEXT,
    flag: { name: 'output', alias: 'o', describe: 'File to write', otherwise: 'stdout', requiresArg: true },
  },
}

/** `sim recordings export <recording>` */
export const exportRecording: Command = {
  command: 'export <recording>',
  describe: 'Write a recording for another program: HAR, curl, Postman and Insomnia, WireMock',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [FLAGS, SELECT_FLAGS],
  examples: [
    ['$0 recordings export recordings/today -f har -o today.har', 'For browsers and proxies'],
    ['$0 recordings export recordings/today -f wiremock -o mappings/today.json', 'Stubs of WireMock'],
  ],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const flags = readFlags<ExportFlags>(given, FLAGS)
    const { format, output, json = false, dryRun: isDryRun = false, quiet = false } = flags
    await requireRecording(recording)
    const select = readSelect(given)
    const progress = createProgress('exchanges read', quiet)
    let count = 0
    const read = async function* (): AsyncGenerator<Exchange> {
      count = 0
      for await (const exchange of readExchanges(recording)) {
        if (!select(exchange)) continue
        progress.at(++count)
        yield exchange
      }
    }
    if (isDryRun) for await (const _exchange of read());
    else {
      const name = basename(resolve(recording))
      const text = exportText(format, {
        name,
        version: version(),
        read,
        bodyOf: (body) => readBody(recording, body),
      })
      await write(text, output)
    }
    progress.end()
    // What is exported to stdout must be all that is there.
    if (output === undefined && !isDryRun) return
    if (json) process.stdout.write(jsonText({ dryRun: isDryRun, format, output, exchanges: count }))
    else
      process.stdout.write(
        `${isDryRun ? 'Would write' : 'Wrote'} ${counted(count, 'exchange')} to ${output ?? 'stdout'}\n`,
      )
  },
}

async function write(text: AsyncIterable<string>, output: string | undefined): Promise<void> {
  if (output === undefined) {
    for await (const piece of text)
      if (!process.stdout.write(piece)) await new Promise((drained) => process.stdout.once('drain', drained))
    return
  }
  const temporary = `${output}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      for await (const piece of text) await file.appendFile(piece)
    } finally {
      await file.close()
    }
    await rename(temporary, output)
  } catch (error) {
    await rm(temporary, { force: true })
    if ((error as NodeJS.ErrnoException).code === undefined || (error as Error).name.startsWith('Recording'))
      throw error
    throw new FileNotWritten(`${output} could not be written: ${(error as Error).message}`, { cause: error })
  }
}
