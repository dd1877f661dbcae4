import { UsageInvalid } from '../errors.ts'
import type { GatewayOptions } from '../gateway.ts'
import { printableLines } from '../http/printable.ts'
import { readAround, tlsAround, type Around } from './around/read-around.ts'
import { logOptions } from './log.ts'
import { createRunReport, readReportFiles, type RunReport } from './run-report.ts'
import type { Serving } from './serve-flags.ts'

/** What a command that serves says besides its log, and where. */
export interface RunOutput {
  /** The command that it serves; absent where it serves until it is ended. */
  readonly around: Around
  readonly report: RunReport
  /** Whether what was seen is in a file, so that a command has stderr for itself. */
  readonly isQuiet: boolean
  /**
   * Says what was found, when the server ends, and keeps it for the report.
   * @param stream where it is printed; on stderr where a command has stdout for itself
   */
  say(stream: 'stdout' | 'stderr', text: string, section: string, found: unknown): void
  /** Writes the report as it is now, where a file is named. */
  write(): void
  /** Options of a gateway, with what commands add to them. */
  complete<Options extends GatewayOptions>(options: Options): Options
}

/** @throws UsageInvalid, FileNotWritten */
export async function createRunOutput(given: object, serving: Pick<Serving, 'workers'>): Promise<RunOutput> {
  const around = readAround(given, serving)
  const files = await readReportFiles(given)
  const isWritten = files.length > 0
  if (isWritten && serving.workers > 1)
    throw new UsageInvalid(
      '--report is of one process, and --workers serves by several: leave out one of both',
    )
  const report = createRunReport()
  const isQuiet = around !== undefined && files.some(({ isWhole }) => isWhole)
  const write = (): void => {
    for (const file of files) file.write(report)
  }
  // Whatever ends the process, what was seen until then is written.
  if (isWritten) process.once('exit', write)
  return {
    ...{ around, report, isQuiet, write },
    say(stream, text, section, found) {
      report.add(section, found)
      if (!isQuiet) process[around === undefined ? stream : 'stderr'].write(printableLines(text))
    },
    complete: (options) => ({
      ...options,
      log: logOptions(options.log, around === undefined ? undefined : 'warn'),
      ...((around !== undefined || isWritten) && { onRequest: (line) => report.note(line) }),
      ...(isWritten && { onChaos: (found) => report.add('chaos', found) }),
      // What the command requests is forwarded wherever it goes, and read.
      ...(around !== undefined && {
        tls: tlsAround(options.tls),
        targets: { ...options.targets, proxy: true },
      }),
    }),
  }
}
