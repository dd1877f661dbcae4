import type { CommandModule } from 'yargs'
import { DriftFound, RecordingUnusable } from '../../errors.ts'
import { loadApi } from '../../loaders/load-target.ts'
import { jsonText } from '../../loaders/write-file.ts'
import { below, missingBasePath, type Baseline } from '../../recording/drift/baseline.ts'
import { compareExchanges } from '../../recording/drift/compare-sample.ts'
import { declaredBaseline } from '../../recording/drift/declared-baseline.ts'
import { driftText, type DriftReport } from '../../recording/drift/drift-log.ts'
import { SEVERITIES, isAtLeast, type Severity } from '../../recording/drift/finding.ts'
import { recordedBaseline } from '../../recording/drift/recorded-baseline.ts'
import { samplesIn, type ReadSamples } from '../../recording/drift/recorded-routes.ts'
import { isRecording } from '../../recording/files/summary.ts'
import { createGlob, type Glob } from '../../routing/glob.ts'

interface DiffOptions {
  recording: string
  against: string
  failOn: Severity | 'never'
  ignore: string[]
  ignorePath: string[]
  basePath: string
  json: boolean
}

const texts = { type: 'string', array: true, requiresArg: true, default: [] } as const

/** `sim recordings diff <recording> --against <target|recording>` */
export const diffRecording: CommandModule<object, DiffOptions> = {
  command: 'diff <recording>',
  describe: 'Tell how what was recorded differs from declared routes or an older recording',
  builder: (yargs) =>
    yargs
      .positional('recording', { type: 'string', demandOption: true, describe: 'Directory of the recording' })
      .option('against', {
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'Target or directory of a recording that says what is expected',
      })
      .option('fail-on', {
        choices: [...SEVERITIES, 'never'] as const,
        default: 'additive' as const,
        describe: 'End with 1 if anything differs as badly as this, or worse',
      })
      .option('ignore', {
        ...texts,
        describe: 'JSON pointers whose differences do not count; * and ** are any',
      })
      .option('ignore-path', { ...texts, describe: 'Paths that are not compared, such as /internal/**' })
      .option('base-path', {
        type: 'string',
        requiresArg: true,
        default: '',
        describe: 'What recorded paths begin with and expected ones do not, such as /v1',
      })
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 recordings diff recordings/today --against openapi.yaml', 'Ends with 1 if they differ')
      .example(
        '$0 recordings diff recordings/today --against recordings/old --fail-on breaking',
        'Ends with 1 if clients break',
      ) as never,
  async handler({ recording, against, failOn, ignore, ignorePath, basePath, json }) {
    if (!(await isRecording(recording)))
      throw new RecordingUnusable(`${recording} is no recording: there is no exchanges.ndjson in it`)
    const expected = await baselineOf(against, samplesIn(recording))
    const samples = samplesIn(recording, (count) => process.stderr.write(`compared ${count} exchanges\n`))
    const leaving = { pointer: anyOf(ignore), path: anyOf(ignorePath) }
    const report = await compareExchanges(samples(), below(basePath, expected), leaving)
    process.stdout.write(json ? jsonText(report) : driftText(report) || 'Nothing was recorded\n')
    tellBasePath(report, basePath === '' ? missingBasePath(report, expected) : undefined)
    const failing = countFailing(report, failOn)
    if (failing > 0) throw new DriftFound(recording, against, failing)
  },
}

async function baselineOf(against: string, samples: ReadSamples): Promise<Baseline> {
  if (await isRecording(against)) return recordedBaseline(samplesIn(against, progressOf(against)), samples)
  const { api } = await loadApi(against, 'compared with')
  return declaredBaseline(api.routes, api.options.stateful === true)
}

// It is read more than once, which is told once.
function progressOf(directory: string): (count: number) => void {
  let told = 0
  return (count) => {
    if (count <= told) return
    told = count
    process.stderr.write(`read ${count} exchanges of ${directory}\n`)
  }
}

function anyOf(patterns: readonly string[]): Glob {
  const globs = patterns.map(createGlob)
  return (text) => globs.some((fits) => fits(text))
}

function tellBasePath({ routes }: DriftReport, basePath: string | undefined): void {
  if (basePath === undefined || routes.length === 0) return
  process.stderr.write(
    `The recorded paths begin with ${basePath}, and the expected ones do not: --base-path ${basePath} takes it off\n`,
  )
}

function countFailing({ severities }: DriftReport, failOn: Severity | 'never'): number {
  if (failOn === 'never') return 0
  const counted = SEVERITIES.filter((severity) => isAtLeast(severity, failOn))
  return counted.reduce((sum, severity) => sum + severities[severity], 0)
}
