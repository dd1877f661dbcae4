import { resolve } from 'node:path'
import { ExportIncomplete } from '../errors.ts'
import { DOCUMENT_FORMATS, describeApi, documentText, type DocumentFormat } from '../loaders/document-text.ts'
import { exportFixtures } from '../loaders/export-fixtures.ts'
import { loadApi } from '../loaders/load-target.ts'
import { oneLine } from '../loaders/problem.ts'
import { sampleRoutes, type UnansweredSample } from '../loaders/sampling/sample-routes.ts'
import { writeFileWhole } from '../loaders/write-file.ts'
import { oneOf, TEXT, type Option } from '../pipeline/option.ts'
import { toggle, type Command, type Given } from './command.ts'
import { readFlags } from './flags.ts'
import { printProblems } from './print.ts'
import { targetArgument, type TargetArgument } from './serve-flags.ts'
import { counted } from './text.ts'

interface OpenapiFlags {
  readonly output: string | undefined
  readonly examples: boolean | undefined
  readonly format: DocumentFormat | undefined
}

const OPENAPI_FLAGS: Readonly<Record<keyof OpenapiFlags, Option>> = {
  output: outputFlag('File to write; - is stdout', '-'),
  examples: toggle('examples', 'Add a sampled answer to each route'),
  format: {
    ...oneOf(DOCUMENT_FORMATS),
    flag: { name: 'format', describe: 'Default: by the file name, otherwise json' },
  },
}

const openapi: Command = {
  command: 'openapi <target>',
  describe: 'Write the OpenAPI document of the declared routes',
  positionals: targetArgument(),
  flags: [OPENAPI_FLAGS],
  examples: [
    ['$0 export openapi app.ts', 'Print the document'],
    ['$0 export openapi app.ts --examples -o openapi.yaml', 'Write it as YAML, with examples'],
  ],
  async run({ target, ...given }: Given & TargetArgument) {
    const { output = '-', examples, format } = readFlags<OpenapiFlags>(given, OPENAPI_FLAGS)
    const loaded = await loadApi(target, 'exported')
    const { api } = loaded
    printProblems([loaded])
    const samples = examples === true ? await sampleRoutes(api) : []
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

interface FixturesFlags {
  readonly output: string | undefined
}

const FIXTURES_FLAGS: Readonly<Record<keyof FixturesFlags, Option>> = {
  output: outputFlag('Directory to write to', 'fixtures'),
}

const fixtures: Command = {
  command: 'fixtures <target>',
  describe: 'Write a sampled answer of each route as JSON, and openapi.json',
  positionals: targetArgument(),
  flags: [FIXTURES_FLAGS],
  examples: [
    ['$0 export fixtures app.ts', 'Write fixtures/users_GET.json and so on'],
    ['$0 export fixtures app.ts:api -o src/mocks', 'Write them elsewhere'],
  ],
  async run({ target, ...given }: Given & TargetArgument) {
    const { output = 'fixtures' } = readFlags<FixturesFlags>(given, FIXTURES_FLAGS)
    const loaded = await loadApi(target, 'exported')
    printProblems([loaded])
    const unsampled = await exportFixtures(loaded.api, resolve(output))
    process.stdout.write(`Wrote fixtures to ${output}\n`)
    reportUnsampled(unsampled)
  },
}

/** `sim export openapi|fixtures <target>` */
export const exportCommand: Command = {
  command: 'export',
  describe: 'Write the OpenAPI document, or fixtures for a frontend',
  commands: [openapi, fixtures],
  missing: 'Name what to export: openapi or fixtures',
}

function outputFlag(describe: string, otherwise: string): Option {
  return { ...TEXT, flag: { name: 'output', alias: 'o', describe, otherwise, requiresArg: true } }
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
