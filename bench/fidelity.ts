import { readFileSync } from 'node:fs'
import { runCheck, type Check, type Outcome } from './fidelity/check.ts'
import { BODY_CHECKS } from './fidelity/body-checks.ts'
import { CONNECTION_CHECKS } from './fidelity/connection-checks.ts'
import { FAILURE_CHECKS } from './fidelity/failure-checks.ts'
import { HEADER_CHECKS } from './fidelity/header-checks.ts'
import { startUpstream } from './fidelity/upstream.ts'
import { installed, script, sim } from './harness/commands.ts'
import { markdownOf } from './harness/figures.ts'
import { startServer, type ServerCommand } from './harness/server.ts'
import { settings } from './harness/settings.ts'

const HELP = `npm run fidelity --prefix bench [-- --row <check>]...

Puts sim and the proxies of others to the same checks of forwarding, over real sockets, and prints who passes which.
`
if (settings.needsHelp) {
  process.stdout.write(HELP)
  process.exit(0)
}

const TIMEOUT_MS = 2000
const OTHERS = ['http-proxy', 'http-proxy-3', 'httpxy', '@fastify/http-proxy']

interface Product {
  readonly name: string
  before(upstream: string): ServerCommand
}

const PRODUCTS: readonly Product[] = [
  { name: 'sim', before: (upstream) => sim('sim', 'proxy', '--upstream', upstream) },
  ...OTHERS.map((name) => ({
    name: `${name} ${versionOf(name)}`,
    before: (upstream: string) => script(name, 'proxies.mjs', name, upstream, String(TIMEOUT_MS)),
  })),
]
const CHECKS = [...HEADER_CHECKS, ...BODY_CHECKS, ...CONNECTION_CHECKS, ...FAILURE_CHECKS].filter(
  ({ id }) => settings.rows.length === 0 || settings.rows.includes(id),
)

// What takes a minute runs beside the rest.
const results = await Promise.all(PRODUCTS.map(async (product) => outcomesOf(product)))
const lines = CHECKS.map(({ id, name }) => [
  name,
  ...results.map((outcomes) => (failureOf(outcomes, id) === undefined ? '✓' : '✗')),
])
const passed = results.map(
  (outcomes) =>
    `${CHECKS.filter(({ id }) => failureOf(outcomes, id) === undefined).length} of ${CHECKS.length}`,
)
process.stdout.write(
  markdownOf(['Forwarding', ...PRODUCTS.map(({ name }) => name)], [...lines, ['**passed**', ...passed]]),
)
for (const [at, { name }] of PRODUCTS.entries()) {
  const failures = CHECKS.flatMap((check) => reasonOf(check, results[at] ?? []))
  if (failures.length > 0) process.stdout.write(`\n${name}\n${failures.join('')}`)
}

async function outcomesOf({ name, before }: Product): Promise<readonly Outcome[]> {
  const upstream = await startUpstream()
  try {
    const proxy = await startServer({ ...before(upstream.url), core: null })
    try {
      const port = Number(new URL(proxy.url).port)
      const late = CHECKS.filter(({ id }) => id === 'late').map((check) => runCheck(check, upstream, port))
      const outcomes: Outcome[] = []
      for (const check of CHECKS.filter(({ id }) => id !== 'late'))
        outcomes.push(await runCheck(check, upstream, port))
      return [...outcomes, ...(await Promise.all(late))]
    } finally {
      await proxy.stop()
    }
  } catch (error) {
    return CHECKS.map(({ id }) => ({ id, failure: `${name}: ${(error as Error).message.split('\n', 1)[0]}` }))
  } finally {
    upstream.close()
  }
}

function failureOf(outcomes: readonly Outcome[], id: string): string | undefined {
  const outcome = outcomes.find((each) => each.id === id)
  return outcome === undefined ? 'it was not tried' : outcome.failure
}

function reasonOf({ id, name }: Check, outcomes: readonly Outcome[]): readonly string[] {
  const failure = failureOf(outcomes, id)
  return failure === undefined ? [] : [`- ${name}: ${failure.split('\n', 1)[0]}\n`]
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(installed(`${name}/package.json`), 'utf8')) as {
    version: string
  }
  return version
}
