import { resolve } from 'node:path'
import type { CommandModule } from 'yargs'
import { describeApi } from '../loaders/describe-api.ts'
import { DOCUMENT_FORMATS, documentText, type DocumentFormat } from '../loaders/document-text.ts'
import { loadApi } from '../loaders/load-api.ts'
import { sampleRoutes } from '../loaders/sampling/sample-routes.ts'
import { writeFileWhole } from '../loaders/write-file.ts'
import { withTarget, type TargetOption } from './options.ts'
import { printProblems } from './print-problems.ts'
import { reportUnsampled } from './report-unsampled.ts'

interface ExportOpenapiOptions extends TargetOption {
  output: string
  examples: boolean
  format: DocumentFormat | undefined
}

/** `sim export openapi <target>` */
export const exportOpenapi: CommandModule<object, ExportOpenapiOptions> = {
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
