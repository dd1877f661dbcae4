import { rulesOf } from '../../plugins/chaos/read-rules.ts'
import { decideBy } from '../../plugins/count.ts'
import { snakeKeys } from '../control/operation.ts'
import { UsageInvalid } from '../errors.ts'
import { TEXT, whole, type Option } from '../pipeline/option.ts'
import { compileRules, entryOf } from '../state/chaos.ts'
import { addChaos, CHAOS_FLAGS } from './chaos-flags.ts'
import type { Command } from './command.ts'
import { CONFIG_FLAGS, readConfig } from './config-flag.ts'
import { readFlags } from './flags.ts'

interface ScheduleFlags {
  readonly route: string
  readonly count: number | undefined
  readonly seed: number | undefined
}

const SCHEDULE_FLAGS: Readonly<Record<keyof ScheduleFlags, Option>> = {
  route: {
    ...TEXT,
    flag: { name: 'route', describe: "Method and path, such as 'GET /users'", required: true },
  },
  count: { ...whole(), flag: { name: 'count', describe: 'How many requests', otherwise: '20' } },
  seed: {
    ...whole(),
    flag: { name: 'seed', describe: 'The seed of the run, where no config file says it' },
  },
}

const schedule: Command = {
  command: 'schedule',
  describe: 'Print what happens to the requests of a route, without serving',
  flags: [CONFIG_FLAGS, CHAOS_FLAGS, SCHEDULE_FLAGS],
  examples: [
    ["$0 chaos schedule --chaos flaky --seed 7 --route 'GET /users'", 'The first 20 requests of a route'],
  ],
  run(given) {
    const config = readConfig(given)
    const flags = readFlags<ScheduleFlags>(given, SCHEDULE_FLAGS)
    const { route: key, count = 20, seed = config.seed } = flags
    if (seed === undefined) throw new UsageInvalid('Name the seed of the run with --seed')
    const call = readRoute(key)
    const rules = compileRules(rulesOf(addChaos(given, config.options.chaos)))
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
export const chaos: Command = {
  command: 'chaos',
  describe: 'Look at what chaos would do',
  commands: [schedule],
  missing: 'Name what to look at: schedule',
}
