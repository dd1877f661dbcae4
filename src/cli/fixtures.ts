import { fixturesFrom } from '../loaders/fixtures/from-recording.ts'
import { TEXT } from '../pipeline/option.ts'
import type { Command, Given } from './command.ts'
import { counted } from './text.ts'

interface FromGiven extends Given {
  readonly recording: string
  readonly output: string
}

const from: Command = {
  command: 'from <recording>',
  describe: 'Write what a recording shows as routes, fixtures, an OpenAPI document and a report',
  positionals: { recording: { ...TEXT, describe: 'Directory of the recording' } },
  flags: [
    {
      output: {
        ...TEXT,
        flag: {
          name: 'output',
          alias: 'o',
          describe: 'Directory to write to; what a person changed there stays',
          required: true,
          requiresArg: true,
        },
      },
    },
  ],
  examples: [['$0 fixtures from recordings/today -o mock', 'Then: sim run mock/routes.yaml']],
  async run({ recording, output }: FromGiven) {
    const { inference, exchanges, changed, conflicts } = await fixturesFrom(recording, output, (count) =>
      process.stderr.write(`read ${count} exchanges\n`),
    )
    const { routes, resources } = inference
    const links = routes.reduce((sum, { echoes, ranges }) => sum + echoes.length + ranges.length, 0)
    const found = [
      counted(routes.length, 'route'),
      counted(links, 'link'),
      counted(resources.length, 'collection'),
    ]
    process.stdout.write(`Inferred ${found.join(', ')} from ${counted(exchanges, 'exchange')}\n`)
    process.stdout.write(
      changed.length === 0 ? `Nothing new for ${output}\n` : `Wrote ${changed.join(', ')} to ${output}\n`,
    )
    for (const conflict of conflicts)
      process.stderr.write(`kept your edit, though now it would differ: ${conflict}\n`)
  },
}

/** `sim fixtures from <recording> -o <dir>` */
export const fixtures: Command = {
  command: 'fixtures',
  describe: 'Turn a recording into declared routes',
  commands: [from],
  missing: 'Name where fixtures come from: from <recording>',
}
