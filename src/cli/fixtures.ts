import { createProgress } from './progress.ts'
import { fixturesFrom } from '../loaders/fixtures/from-recording.ts'
import type { Inference } from '../recording/inference/infer-routes.ts'
import type { Command, Given } from './command.ts'
import { shareByRule } from '../recording/inference/report.ts'
import { FLAG, TEXT } from '../pipeline/option.ts'
import { counted } from './text.ts'

interface FromGiven extends Given {
  readonly recording: string
  readonly output: string
  readonly json?: boolean
  readonly 'as-recorded'?: boolean
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
      asRecorded: {
        ...FLAG,
        flag: {
          name: 'as-recorded',
          describe: 'Make each route as slow as it was recorded, and fail by chance as often',
        },
      },
      json: { ...FLAG, flag: { name: 'json', describe: 'Print what was found as JSON' } },
    },
  ],
  examples: [
    ['$0 fixtures from recordings/today -o mock', 'Then: sim run mock/routes.yaml'],
    ['$0 fixtures from recordings/today -o mock --as-recorded', 'With the recorded latencies and errors'],
  ],
  async run({ recording, output, json, 'as-recorded': asRecorded }: FromGiven) {
    const progress = createProgress('exchanges', false)
    const from = await fixturesFrom(recording, output, {
      onProgress: (done, what) => progress.at(done, what),
      asRecorded: asRecorded === true,
    })
    progress.end()
    const { inference, exchanges, changed, conflicts, proof } = from
    const { routes, resources } = inference
    if (json === true) {
      const share = shareByRule(proof)
      const found = proof.map((each) => ({ ...each, doubts: doubtsOf(inference, each.route) }))
      process.stdout.write(
        `${JSON.stringify({ exchanges, share, routes: found, changed, conflicts }, undefined, 2)}\n`,
      )
      return
    }
    const links = routes.reduce((sum, { echoes, ranges }) => sum + echoes.length + ranges.length, 0)
    const found = [
      counted(routes.length, 'route'),
      counted(links, 'link'),
      counted(resources.length, 'collection'),
    ]
    process.stdout.write(`Inferred ${found.join(', ')} from ${counted(exchanges, 'exchange')}\n`)
    process.stdout.write(
      `${Math.floor(shareByRule(proof) * 1000) / 10} % of them are answered by a rule, the rest as it was recorded\n`,
    )
    process.stdout.write(
      changed.length === 0 ? `Nothing new for ${output}\n` : `Wrote ${changed.join(', ')} to ${output}\n`,
    )
    for (const conflict of conflicts)
      process.stderr.write(`kept your edit, though now it would differ: ${conflict}\n`)
  },
}

function doubtsOf({ routes }: Inference, key: string): readonly string[] {
  const found = routes.find(({ method, host = '', path }) => `${method} ${host}${path}` === key)
  return found?.doubts ?? []
}

/** `sim fixtures from <recording> -o <dir>` */
export const fixtures: Command = {
  command: 'fixtures',
  describe: 'Turn a recording into declared routes',
  commands: [from],
  missing: 'Name where fixtures come from: from <recording>',
}
