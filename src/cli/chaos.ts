import type { Argv, CommandModule } from 'yargs'
import { decideBy } from '../../plugins/count.ts'
import { rulesOf } from '../../plugins/chaos/read-rules.ts'
import { snakeKeys } from '../control/snake-keys.ts'
import { UsageInvalid } from '../errors.ts'
import { entryOf } from '../state/chaos.ts'
import { compileRules } from '../state/chaos.ts'
import { whole, type Option } from '../pipeline/option.ts'
import { addChaos, CHAOS_FLAGS } from './chaos-flags.ts'
import { CONFIG_FLAGS, readConfig } from './config-flag.ts'
import { addFlags, readFlags } from './flags.ts'

interface ScheduleFlags {
  readonly count: number | undefined
  readonly seed: number | undefined
}

const SCHEDULE_FLAGS: Readonly<Record<keyof ScheduleFlags, Option>> = {
  count: { ...whole(), flag: { name: 'count', describe: 'How many requests', otherwise: '20' } },
  seed: {
    ...whole(),
    flag: { name: 'seed', describe: 'The seed of the run, where no config file says it' },
  },
}

const schedule: CommandModule<object, { route: string }> = {
  command: 'schedule',
  describe: 'Print what happens to the requests of a route, without serving',
  builder: (yargs) =>
    addFlags(yargs, CONFIG_FLAGS, CHAOS_FLAGS, SCHEDULE_FLAGS)
      .option('route', {
        type: 'string',
        demandOption: true,
        describe: `Method and path, such as 'GET /users'`,
      })
      .example(
        `$0 chaos schedule --chaos flaky --seed 7 --route 'GET /users'`,
        'The first 20 requests of a route',
      ),
  handler(options) {
    const { route: key } = options
    const config = readConfig(options)
    const { count = 20, seed = config.seed } = readFlags<ScheduleFlags>(options, SCHEDULE_FLAGS)
    if (seed === undefined) throw new UsageInvalid('Name the seed of the run with --seed')
    const call = readRoute(key)
    const rules = compileRules(rulesOf(addChaos(options, config.options.chaos)))
    for (let ordinal = 0; ordinal < count; ordinal++) {
      const decision = decideBy({ seed, rules, key, ordinal, call, seconds: 0 })
      const entry = decision && entryOf(key, ordinal, decision)
      process.stdout.write(`${JSON.stringify(snakeKeys(entry ?? { route: key, ordinal }))}\n`)
    }
  },
}

function readRoute(route: string): Parameters<typeof decideBy>[0]['call'] {
  const [, method = '', host = '', path = ''] = /^([A-Z]+) ([^/\s]*)(\/\S*)$/.exec(route) ?? []
  if (method === '')
    throw new UsageInvalid(`--route must be a method and a path such as 'GET /users', not '${route}'`)
  return { method, host, path, headers: {} }
}

/** `sim chaos schedule` */
export const chaos: CommandModule = {
  command: 'chaos',
  describe: 'Look at what chaos would do',
  builder: (yargs): Argv => yargs.command(schedule).demandCommand(1, 'Name what to look at: schedule'),
  handler() {},
}
