import type { CommandModule } from 'yargs'
import { fixturesFrom } from '../loaders/fixtures/from-recording.ts'
import { counted } from './text.ts'

interface FromOptions {
  recording: string
  output: string
}

const from: CommandModule<object, FromOptions> = {
  command: 'from <recording>',
  describe: 'Write what a recording shows as routes, fixtures, an OpenAPI document and a report',
  builder: (yargs) =>
    yargs
      .positional('recording', { type: 'string', demandOption: true, describe: 'Directory of the recording' })
      .option('output', {
        alias: 'o',
        type: 'string',
        demandOption: true,
        requiresArg: true,
        describe: 'Directory to write to; what a person changed there stays',
      })
      .example('$0 fixtures from recordings/today -o mock', 'Then: sim run mock/routes.yaml'),
  async handler({ recording, output }) {
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
export const fixtures: CommandModule = {
  command: 'fixtures',
  describe: 'Turn a recording into declared routes',
  builder: (yargs) => yargs.command(from).demandCommand(1, 'Name where fixtures come from: from <recording>'),
  handler() {},
}
