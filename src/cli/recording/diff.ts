import { DriftFound } from '../../errors.ts'
import { loadApi } from '../../loaders/load-target.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { TEXT, TEXTS, type Option } from '../../pipeline/option.ts'
import { below, missingBasePath, type Baseline } from '../../recording/drift/baseline.ts'
import { compareExchanges } from '../../recording/drift/compare-sample.ts'
import { declaredBaseline } from '../../recording/drift/declared-baseline.ts'
import { driftText, type DriftReport } from '../../recording/drift/drift-log.ts'
import { recordedBaseline } from '../../recording/drift/recorded-baseline.ts'
import { samplesIn, type ReadSamples } from '../../recording/drift/recorded-routes.ts'
import { partsOf } from '../../recording/files/parts.ts'
import { JSON_FLAG, type Command, type Given } from '../command.ts'
import { readFlags } from '../flags.ts'
import { requireRecording } from './change.ts'
import { anyOf, countFailing, DIFFERENCE_FLAGS, type DifferenceFlags } from './difference-flags.ts'

interface DiffFlags extends DifferenceFlags {
  readonly against: string
  readonly ignorePath: readonly string[]
  readonly basePath: string | undefined
  readonly json: boolean | undefined
}

const FLAGS: Readonly<Record<keyof DiffFlags, Option>> = {
  ...DIFFERENCE_FLAGS,
  against: {
    ...TEXT,
    flag: {
      name: 'against',
      describe: 'Target or directory of a recording that says what is expected',
      required: true,
      requiresArg: true,
    },
  },
  ignorePath: {
    ...TEXTS,
    flag: {
      name: 'ignore-path',
      describe: 'Paths that are not compared, such as /internal/**',
      requiresArg: true,
    },
  },
  basePath: {
    ...TEXT,
    flag: {
      name: 'base-path',
      describe: 'What recorded paths begin with and expected ones do not, such as /v1',
      requiresArg: true,
    },
  },
  json: JSON_FLAG,
}

/** `sim recordings diff <recording> --against <target|recording>` */
export const diffRecording: Command = {
  command: 'diff <recording>',
  describe: 'Report how what was recorded differs from declared routes or an older recording',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [FLAGS],
  examples: [
    ['$0 recordings diff recordings/today --against openapi.yaml', 'Ends with 1 if they differ'],
    [
      '$0 recordings diff recordings/today --against recordings/old --fail-on breaking',
      'Ends with 1 if clients break',
    ],
  ],
  async run({ recording, ...given }: Given & { readonly recording: string }) {
    const flags = readFlags<DiffFlags>(given, FLAGS)
    const { against, failOn, ignore, ignorePath, basePath = '', json = false } = flags
    await requireRecording(recording)
    const expected = await baselineOf(against, samplesIn(recording))
    const samples = samplesIn(recording, (count) => process.stderr.write(`compared ${count} exchanges\n`))
    const leaving = { pointer: anyOf(ignore), path: anyOf(ignorePath) }
    const report = await compareExchanges(samples(), below(basePath, expected), leaving)
    process.stdout.write(json ? jsonText(report) : driftText(report) || 'Nothing was recorded\n')
    printBasePath(report, basePath === '' ? missingBasePath(report, expected) : undefined)
    const failing = countFailing(report, failOn)
    if (failing > 0) throw new DriftFound(recording, against, failing)
  },
}

async function baselineOf(against: string, samples: ReadSamples): Promise<Baseline> {
  if ((await partsOf(against)).length > 0)
    return recordedBaseline(samplesIn(against, progressOf(against)), samples)
  const { api } = await loadApi(against, 'compared with')
  return declaredBaseline(api.routes, api.options.stateful === true)
}

// It is read more than once, and reported once.
function progressOf(directory: string): (count: number) => void {
  let reported = 0
  return (count) => {
    if (count <= reported) return
    reported = count
    process.stderr.write(`read ${count} exchanges of ${directory}\n`)
  }
}

function printBasePath({ routes }: DriftReport, basePath: string | undefined): void {
  if (basePath === undefined || routes.length === 0) return
  process.stderr.write(
    `The recorded paths begin with ${basePath}, and the expected ones do not: --base-path ${basePath} takes it off\n`,
  )
}
