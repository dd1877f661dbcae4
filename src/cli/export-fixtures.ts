import { resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { exportFixtures } from '../loaders/export-fixtures.ts'
import { loadApi } from '../loaders/load-api.ts'
import { withTarget, type TargetOption } from './options.ts'
import { printProblems } from './print-problems.ts'
import { reportUnsampled } from './report-unsampled.ts'

interface ExportFixturesOptions extends TargetOption {
  output: string
}

/** `sim export fixtures <target>` */
export const exportFixturesCommand: CommandModule<object, ExportFixturesOptions> = {
  command: 'fixtures <target>',
  describe: 'Write a sampled answer of each route as JSON, and openapi.json',
  builder: (yargs) =>
    withTarget(yargs)
      .option('output', {
        alias: 'o',
        type: 'string',
        default: 'fixtures',
        requiresArg: true,
        describe: 'Directory to write to',
      })
      .example('$0 export fixtures app.ts', 'Write fixtures/users_GET.json and so on')
      .example('$0 export fixtures app.ts:api -o src/mocks', 'Write them elsewhere'),
  async handler({ target, output }) {
    const loaded = await loadApi(target, 'exported')
    printProblems([loaded])
    const unsampled = await exportFixtures(loaded.api, resolve(output))
    process.stdout.write(`Wrote fixtures to ${output}\n`)
    reportUnsampled(unsampled)
  },
}
