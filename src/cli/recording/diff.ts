import type { CommandModule } from 'yargs'
import { jsonText } from '../../declare/export-fixtures.ts'
import { loadApi } from '../../declare/load-api.ts'
import type { Baseline } from '../../recording/drift/baseline.ts'
import { compareExchanges, type RouteDrift } from '../../recording/drift/compare-exchanges.ts'
import { declaredBaseline } from '../../recording/drift/declared-baseline.ts'
import { recordedBaseline } from '../../recording/drift/recorded-baseline.ts'
import { readSamples } from '../../recording/infer/read-samples.ts'
import type { Sample } from '../../recording/infer/sample.ts'
import { isRecording } from '../../recording/summary.ts'
import { DriftFound } from '../../sim-error.ts'
import { counted } from '../counted.ts'

interface DiffOptions {
  recording: string
  against: string
  json: boolean
}

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
      .option('json', { type: 'boolean', default: false, describe: 'Print JSON' })
      .example('$0 recordings diff recordings/today --against openapi.yaml', 'Ends with 1 if they differ'),
  async handler({ recording, against, json }) {
    const samples = await readSamples(recording, (count) => process.stderr.write(`read ${count} exchanges\n`))
    const routes = compareExchanges(samples, await baselineOf(against, samples))
    const drifts = routes.reduce((sum, route) => sum + route.drifts.length, 0)
    process.stdout.write(json ? jsonText({ drifts, routes }) : textOf(routes))
    if (drifts > 0) throw new DriftFound(recording, against, drifts)
  },
}

async function baselineOf(against: string, samples: readonly Sample[]): Promise<Baseline> {
  if (await isRecording(against)) return recordedBaseline(await readSamples(against), samples)
  const { api } = await loadApi(against, 'compared with')
  return declaredBaseline(api.routes, api.options.stateful === true)
}

function textOf(routes: readonly RouteDrift[]): string {
  const lines = routes.map(({ route, exchanges, drifts }) => {
    const of = counted(exchanges, 'exchange')
    if (drifts.length === 0) return `${route}: ${of}, no drift`
    const told = drifts.map(
      ({
        severity,
        change,
        pointer,
        expected,
        actual,
        exchanges: times,
        example: { number, request, status },
      }) =>
        `  ${severity}: ${change}${pointer && ` at ${pointer}`}: ${expected} -> ${actual}\n` +
        `    ${times} of ${exchanges}, first #${number} ${request} ${status}`,
    )
    return [`${route}: ${of}`, ...told].join('\n')
  })
  return lines.length === 0 ? 'Nothing was recorded\n' : `${lines.join('\n')}\n`
}
