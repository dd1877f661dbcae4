import { UsageInvalid } from '../errors.ts'
import { openInProcess } from '../gateway.ts'
import type { MemoryRequest } from '../http/memory-transport.ts'
import { snakeKeys } from '../control/operation.ts'
import { joinLoaded, seedsOf } from '../loaders/join-apps.ts'
import { loadAdapters } from '../loaders/load-adapter.ts'
import { loadTarget, requireApi } from '../loaders/load-target.ts'
import { TEXT, whole, type Option } from '../pipeline/option.ts'
import type { Command } from './command.ts'
import { asUsage, readFlags } from './flags.ts'
import { PROXY_FLAGS, readProxy } from './proxy.ts'

interface ScheduleFlags {
  readonly route: string
  readonly count: number | undefined
}

const SCHEDULE_FLAGS: Readonly<Record<keyof ScheduleFlags, Option>> = {
  route: {
    ...TEXT,
    flag: {
      name: 'route',
      describe: "Method and path of the requests, such as 'GET /users/7?page=2'",
      required: true,
    },
  },
  count: { ...whole(), flag: { name: 'count', describe: 'How many requests', otherwise: '20' } },
}

/** `sim chaos schedule` */
export const schedule: Command = {
  command: 'schedule',
  describe: 'Print what sim proxy with the same flags does to the requests of a route, without serving',
  flags: [SCHEDULE_FLAGS, ...PROXY_FLAGS],
  examples: [
    ["$0 chaos schedule --chaos flaky --seed 7 --route 'GET /users'", 'The first 20 requests of a route'],
    [
      "$0 chaos schedule --routes app.ts --error-rate 0.1 --seed 7 --route 'GET /users/7'",
      'Of a declared route, with its own options',
    ],
  ],
  async run(given) {
    const { route, count = 20 } = readFlags<ScheduleFlags>(given, SCHEDULE_FLAGS)
    const request = readRoute(route)
    const { config, serving, routes, options } = readProxy(given)
    const { load } = serving
    const apps = await Promise.all(
      routes.map(async (target) => requireApi(await loadTarget(target, undefined, load), target, 'joined')),
    )
    const [first] = seedsOf(apps, routes, load)
    if (load.options?.seed === undefined && config.seed === undefined && (first?.isDrawn ?? true))
      throw new UsageInvalid('Name the seed of the run with --seed')
    const adapters = await loadAdapters(config.adapters, config.file ?? '', load.options?.seed ?? config.seed)
    // What would be written is not opened.
    const { record: _record, ...reading } = options
    const gateway = await asUsage(() =>
      openInProcess({ ...reading, ...joinLoaded(apps, load, config.seed), adapters }),
    )
    try {
      for (const { route: key, ordinal, entries } of await gateway.schedule(request, count))
        for (const entry of entries.length > 0 ? entries : [{ route: key, ordinal }])
          process.stdout.write(`${JSON.stringify(snakeKeys(entry))}\n`)
    } finally {
      await gateway.close()
    }
  },
}

function readRoute(route: string): MemoryRequest {
  const [, method = '', host = '', url = ''] = /^([A-Z]+) ([^/\s]*)(\/\S*)$/.exec(route) ?? []
  if (method === '')
    throw new UsageInvalid(`--route must be a method and a path such as 'GET /users', not '${route}'`)
  return { method, url, host }
}
