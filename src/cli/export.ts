import { resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { ExportIncomplete } from '../errors.ts'
import { DOCUMENT_FORMATS, describeApi, documentText, type DocumentFormat } from '../loaders/document-text.ts'
import { exportFixtures } from '../loaders/export-fixtures.ts'
import { loadApi } from '../loaders/load-target.ts'
import { oneLine } from '../loaders/problem.ts'
import { sampleRoutes, type UnansweredSample } from '../loaders/sampling/sample-routes.ts'
import { writeFileWhole } from '../loaders/write-file.ts'
import { printProblems } from './print.ts'
import { type TargetOption, withTarget } from './serve-flags.ts'
import { counted } from './text.ts'

interface ExportOpenapiOptions extends TargetOption {
  output: string
  examples: boolean
  format: DocumentFormat | undefined
}

const exportOpenapi: CommandModule<object, ExportOpenapiOptions> = {
  command: 'openapi <target>',
  describe: 'Write the OpenAPI document of the declared routes',
  builder: (yargs) =>
    withTarget(yargs)
      .option('output', {
        alias: 'o',
        type: 'string',
        default: '-',
        requiresArg: true,
        describe: 'File to write; - is stdout',
      })
      .option('examples', {
        type: 'boolean',
        default: false,
        describe: 'Add a sampled answer to each route',
      })
      .option('format', {
        choices: DOCUMENT_FORMATS,
        describe: 'Default: by the file name, otherwise json',
      })
      .example('$0 export openapi app.ts', 'Print the document')
      .example('$0 export openapi app.ts --examples -o openapi.yaml', 'Write it as YAML, with examples'),
  async handler({ target, output, examples, format }) {
    const loaded = await loadApi(target, 'exported')
    const { api } = loaded
    printProblems([loaded])
    const samples = examples ? await sampleRoutes(api) : []
    const text = documentText(describeApi(api, samples), format ?? formatOf(output))
    if (output === '-') process.stdout.write(text)
    else {
      writeFileWhole(resolve(output), text)
      process.stdout.write(`Wrote ${output}\n`)
    }
    reportUnsampled(samples.filter((sample) => sample.kind !== 'answered'))
  },
}

function formatOf(file: string): DocumentFormat {
  return /\.ya?ml$/i.test(file) ? 'yaml' : 'json'
}

interface ExportFixturesOptions extends TargetOption {
  output: string
}

const exportFixturesCommand: CommandModule<object, ExportFixturesOptions> = {
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

/** `sim export openapi|fixtures <target>` */
export const exportCommand: CommandModule = {
  command: 'export',
  describe: 'Write the OpenAPI document, or fixtures for a frontend',
  builder: (yargs) =>
    yargs
      .command(exportOpenapi)
      .command(exportFixturesCommand)
      .demandCommand(1, 'Name what to export: openapi or fixtures'),
  handler() {},
}

/** @throws ExportIncomplete with a line for each route that gave no answer, when there are any */
function reportUnsampled(samples: readonly UnansweredSample[]): void {
  if (samples.length === 0) return
  const lines = samples.map(({ route, reason }) => {
    const own = reason.startsWith(`${route.key}: `) ? reason.slice(route.key.length + 2) : reason
    return `${route.key}: ${oneLine(own)}`
  })
  throw new ExportIncomplete(
    [...lines, `${counted(samples.length, 'route')} could not be sampled`].join('\n'),
  )
}
