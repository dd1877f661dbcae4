import type { CommandModule } from 'yargs'
import { decideBy } from '../../plugins/chaos/decide.ts'
import { rulesOf } from '../../plugins/chaos/read-rules.ts'
import { entryOf } from '../state/chaos-log.ts'
import { compileRules } from '../state/chaos-rules.ts'
import { snakeKeys } from '../control/snake-keys.ts'
import { UsageInvalid } from '../errors.ts'
import { whole } from './whole.ts'
import { configOf, withConfigOption, type ConfigOption } from './proxy/config.ts'
import { rulesOfFlags, withRuleOptions, type RuleOptions } from './proxy/chaos.ts'

interface ScheduleOptions extends RuleOptions, ConfigOption {
  route: string
  count: number
  seed: number | undefined
}

/** `sim chaos schedule` */
export const chaosSchedule: CommandModule<object, ScheduleOptions> = {
  command: 'schedule',
  describe: 'Print what happens to the requests of a route, without serving',
  builder: (yargs) =>
    withRuleOptions(withConfigOption(yargs))
      .option('route', {
        type: 'string',
        demandOption: true,
        describe: `Method and path, such as 'GET /users'`,
      })
      .option('count', {
        type: 'number',
        default: 20,
        describe: 'How many requests',
        coerce: (value: number) => whole('count', value),
      })
      .option('seed', {
        type: 'number',
        describe: 'The seed of the run, where no config file says it',
        coerce: (value: number | undefined) => (value === undefined ? undefined : whole('seed', value)),
      })
      .example(
        `$0 chaos schedule --chaos flaky --seed 7 --route 'GET /users'`,
        'The first 20 requests of a route',
      ),
  handler(options) {
    const { route: key, count } = options
    const config = configOf(options)
    const seed = options.seed ?? config.seed
    if (seed === undefined) throw new UsageInvalid('Name the seed of the run with --seed')
    const call = readRoute(key)
    const rules = compileRules(rulesOf(rulesOfFlags(options, config.options.chaos)))
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
