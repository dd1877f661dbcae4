import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { createVitest, type Vitest } from 'vitest/node'
import config from '../../vitest.config.ts'
import type { Mutant } from './mutants.ts'

/** What a worker is sent: test files to run, and what to change before, if anything. */
export interface Order {
  readonly tests: readonly string[]
  readonly mutant?: Mutant
}

/** How the test files of an order ended. */
export interface Report {
  readonly failed: readonly string[]
  readonly milliseconds: Readonly<Record<string, number>>
}

const ROOT = resolve(import.meta.dirname, '../..')
let active: Mutant | undefined

/** A vitest that stays, so that each mutant costs what its tests do. */
function create(): Promise<Vitest> {
  const counts = process.env['SIM_FUNCTIONS_RUN'] !== undefined
  const { projects: _projects, ...test } = config.test ?? {}
  const setupFiles = ['test/setup.ts', ...(counts ? [resolve(import.meta.dirname, 'functions-run.ts')] : [])]
  return createVitest(
    'test',
    { root: ROOT, config: false, watch: false, reporters: [{}], bail: counts ? 0 : 1, maxWorkers: 1 },
    {
      ...config,
      test: { ...test, include: ['test/**/*.test.ts'], isolate: false, setupFiles },
      plugins: [
        {
          name: 'mutant',
          enforce: 'pre',
          load: (id) =>
            active !== undefined && id === resolve(ROOT, active.file) ? mutated(active) : undefined,
        },
      ],
    },
  )
}

function mutated({ file, start, end, replacement }: Mutant): string {
  const source = readFileSync(resolve(ROOT, file), 'utf8')
  return source.slice(0, start) + replacement + source.slice(end)
}

const vitest = await create()
await vitest.standalone()

async function run({ tests, mutant }: Order): Promise<Report> {
  for (const each of [active, mutant]) if (each !== undefined) vitest.invalidateFile(resolve(ROOT, each.file))
  active = mutant
  const specifications = tests.flatMap((test) => vitest.getModuleSpecifications(resolve(ROOT, test)))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const failed = testModules.filter((module) => !module.ok()).map((module) => relative(ROOT, module.moduleId))
  const milliseconds = Object.fromEntries(
    testModules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return [relative(ROOT, module.moduleId), Math.round(duration + collectDuration)]
    }),
  )
  return { failed: [...failed, ...(unhandledErrors.length > 0 ? ['unhandled errors'] : [])], milliseconds }
}

process.on('message', (order: Order) => void run(order).then((report) => process.send?.(report)))
process.send?.('ready')
