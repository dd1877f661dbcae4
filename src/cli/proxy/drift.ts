import type { Argv } from 'yargs'
import { jsonText } from '../../loaders/export-fixtures.ts'
import { writeFileWhole } from '../../loaders/write-file.ts'
import type { GatewayOptions } from '../../gateway.ts'
import { createDriftLog, driftText } from '../../recording/drift/drift-log.ts'
import { SimError } from '../../errors.ts'

/** Options of `sim proxy` about mode `diff`. */
export interface DriftFlags {
  driftReport: string | undefined
}

/** Adds `--drift-report`. */
export function withDriftOptions<T>(yargs: Argv<T>): Argv<T & DriftFlags> {
  return yargs.option('drift-report', {
    type: 'string',
    requiresArg: true,
    describe: 'Write what mode diff finds to this file as JSON, when the server ends',
  }) as unknown as Argv<T & DriftFlags>
}

/**
 * Prints what mode `diff` found when the server ends, and writes it where that was asked for.
 * @throws FileNotWritten when the file cannot be written, which is tried at once
 */
export function driftOf({ driftReport: file }: DriftFlags): Pick<GatewayOptions, 'onDrift'> {
  if (file !== undefined) writeFileWhole(file, jsonText(createDriftLog().report()))
  return {
    onDrift(report) {
      process.stdout.write(driftText(report))
      if (file !== undefined) tellFailure(() => writeFileWhole(file, jsonText(report)))
    },
  }
}

// The server is ending, and the rest of it has to end as well.
function tellFailure(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof SimError)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}
