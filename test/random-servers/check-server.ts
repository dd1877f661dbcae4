import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'
import { fixturesFrom } from '../../src/loaders/fixtures/from-recording.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { validateTarget } from '../../src/loaders/validate-target.ts'
import { compareExchanges } from '../../src/recording/drift/compare-sample.ts'
import { declaredBaseline } from '../../src/recording/drift/declared-baseline.ts'
import { samplesIn } from '../../src/recording/drift/recorded-routes.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { type Exchange, jsonOf, runSession } from './client.ts'
import { createForm, type Form, learn, misfits } from './conform.ts'
import { type Design, randomOf, type Step, written } from './design.ts'
import { createRandomServer } from './server.ts'

/** What is not as it should be; all empty where everything is. */
export interface Findings {
  /** Requests of the recording that are answered otherwise than they were. */
  readonly unlike: readonly string[]
  /** Problems of the files that were written. */
  readonly invalid: readonly string[]
  /** Breaking drift of another session of the same server. */
  readonly drift: readonly string[]
  /** Files that differ when the same is inferred again, or from unrelated exchanges in another order. */
  readonly unstable: readonly string[]
}

/** How another session was answered. */
export interface Unseen {
  readonly requested: number
  /** How many requests were left out, since the recording shows nothing of their operations. */
  readonly leftOut: number
  readonly unlike: readonly Unlike[]
}

/** A request that was answered with another status or form. */
interface Unlike {
  /** What was requested, how it should have been answered, and how it was: equal for those of one kind. */
  readonly cause: string
  readonly request: string
}

/** Calls something with a server that listens, and closes it. */
async function serving<Result>(
  app: FastifyInstance | Server,
  use: (base: string) => Promise<Result>,
): Promise<Result> {
  const server = 'server' in app ? app.server : app
  try {
    if ('server' in app) await app.listen({ port: 0, host: '127.0.0.1' })
    else await once(server.listen(0, '127.0.0.1'), 'listening')
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    await (app.close as () => unknown)()
  }
}

/** Records a session of a server that has just been started, through a gateway. */
async function record(
  design: Design,
  run: number,
  steps: readonly Step[],
  directory: string,
): Promise<readonly Exchange[]> {
  return serving(createRandomServer(design, run), (upstream) => {
    const gateway = createGateway({ engine: new SimAPI({ seed: 1 }).engine(), upstream, record: directory })
    return serving(gateway, (base) => runSession(design, base, steps))
  })
}

/** The app that was inferred. */
async function inferred(directory: string): Promise<{ readonly api: SimAPI; readonly app: FastifyInstance }> {
  const { api } = await loadApi(join(directory, 'routes.yaml'), 'served', undefined, { options: { seed: 7 } })
  return { api, app: api.asWebApp() }
}

/** Calls something with a folder that is removed then. */
async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sim-random-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Records a session, infers from it, and looks at all that must hold however little was recorded. */
export function checkServer(
  design: Design,
  steps: readonly Step[],
  others: readonly Step[],
): Promise<Findings> {
  return inFolder(async (folder) => {
    const [recording, other, output] = [
      join(folder, 'a/recording'),
      join(folder, 'other'),
      join(folder, 'output'),
    ]
    await record(design, 1, steps, recording)
    await record(design, 2, others, other)
    await fixturesFrom(recording, output)
    const validated = await Promise.all(
      ['routes.yaml', 'openapi.yaml'].map((file) => validateTarget(join(output, file), output)),
    )
    const { api, app } = await inferred(output)
    const baseline = declaredBaseline(api.routes, api.options.stateful === true)
    const { routes } = await compareExchanges(samplesIn(other)(), baseline)
    return {
      unlike: await serving(app, (base) => askAgain(recording, base)),
      invalid: validated.flatMap(({ problems }) => problems.map((problem) => JSON.stringify(problem))),
      drift: routes.flatMap(({ route, drifts }) =>
        drifts
          // That a field which may be null never was cannot be known from a few items, however often they are read.
          .filter(({ severity, change }) => severity === 'breaking' && change !== 'newly null')
          .map(
            ({ change, part, pointer, expected, actual }) =>
              `${route}: ${change} ${part}${pointer} ${expected} -> ${actual}`,
          ),
      ),
      unstable: [
        ...(await differing(recording, output, folder, 'again')),
        ...(await inOtherOrders(design, recording, output, folder)),
      ],
    }
  })
}

/**
 * Infers from one session, and puts another to the result and to the server. The other one uses the operations that the
 * recorded one used, whatever became of them: of a method or call that was never recorded nobody can know what it does.
 */
export function checkUnseen(
  design: Design,
  steps: readonly Step[],
  others: readonly Step[],
): Promise<Unseen> {
  return inFolder(async (folder) => {
    const [recording, output] = [join(folder, 'recording'), join(folder, 'output')]
    const seen = await record(design, 1, steps, recording)
    await fixturesFrom(recording, output)
    const operations = new Set(seen.map(({ operation }) => operation))
    let leftOut = 0
    const isUsed = (operation: string): boolean => {
      const isKnown = operations.has(operation)
      if (!isKnown) leftOut++
      return isKnown
    }
    const wanted = await serving(createRandomServer(design, 2), (base) =>
      runSession(design, base, others, isUsed),
    )
    const { app } = await inferred(output)
    const given = await serving(app, (base) =>
      runSession(design, base, others, (operation) => operations.has(operation)),
    )
    return {
      requested: wanted.length,
      leftOut,
      unlike: compareSessions(design, [...seen, ...wanted], wanted, given),
    }
  })
}

function compareSessions(
  design: Design,
  known: readonly Exchange[],
  wanted: readonly Exchange[],
  given: readonly Exchange[],
): Unlike[] {
  const forms = new Map<string, Form>()
  const keyOf = ({ purpose, status }: Exchange): string => `${purpose} ${status}`
  for (const each of known) {
    const form = forms.get(keyOf(each)) ?? createForm()
    forms.set(keyOf(each), form)
    learn(form, jsonOf(each.text) ?? '')
  }
  const maps = design.collections.flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'labels'))
  const isMap = (name: string): boolean =>
    maps.some((field) => written(field.name, design.fieldCase) === name)
  const byStep = new Map(given.map((each) => [each.step, each]))
  return wanted.flatMap((each) => {
    const { purpose, method, url, status, type, step } = each
    const found = byStep.get(step)
    const verb = design.collections.reduce(
      (text, { noun: [, plural] }) => text.replace(` ${plural}`, ''),
      purpose,
    )
    const unlike = (kind: string, what: string): Unlike[] => [
      {
        cause: `${verb.replace(/ by .*/, '')} ${status}: ${kind}`,
        request: `${purpose}: ${method} ${url} (${status}): ${what}`,
      },
    ]
    if (found === undefined)
      return unlike('not requested', 'not requested, since what it needs was not answered')
    if (found.status !== status)
      return unlike(
        `got ${found.status}`,
        `${found.status} ${found.method} ${found.url} ${found.text.slice(0, 120)}`,
      )
    if (found.type !== type) return unlike('type', `${found.type} instead of ${type}`)
    const wrong = misfits(forms.get(keyOf(each)) as Form, jsonOf(found.text) ?? '', isMap)
    return wrong.length === 0
      ? []
      : unlike('form', `${wrong.slice(0, 3).join('; ')} ${found.text.slice(0, 120)}`)
  })
}

// Every request as it was recorded, with the recorded values, in the recorded order.
async function askAgain(recording: string, base: string): Promise<string[]> {
  const unlike: string[] = []
  for await (const { request, response } of readExchanges(recording)) {
    const { pathname, search } = new URL(request.url)
    const headers = request.headers.filter(({ name }) => !/^(host|content-length|connection)$/i.test(name))
    const answer = await fetch(`${base}${pathname}${search}`, {
      method: request.method,
      headers: headers.map(({ name, value }): [string, string] => [name, value]),
      ...(request.postData !== undefined && { body: request.postData.text }),
    })
    const [text, wanted] = [await answer.text(), response.content.text ?? '']
    const isAlike =
      answer.status === response.status &&
      (wanted === '' ||
        (answer.headers.get('content-type') ?? '').split(';')[0] ===
          response.content.mimeType.split(';')[0]) &&
      (text === wanted || isDeepStrictEqual(jsonOf(text) ?? text, jsonOf(wanted) ?? wanted))
    if (!isAlike)
      unlike.push(
        `${request.method} ${pathname}${search}: ${answer.status} ${text} instead of ${response.status} ${wanted}`,
      )
  }
  return unlike
}

async function differing(recording: string, output: string, folder: string, name: string): Promise<string[]> {
  const again = join(folder, name)
  await fixturesFrom(recording, again)
  const files = (directory: string): string[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(directory, file)).isFile(),
    )
  const all = new Set([...files(output), ...files(again)])
  const textOf = (directory: string, file: string): string | undefined =>
    files(directory).includes(file) ? readFileSync(join(directory, file), 'utf8') : undefined
  return [...all]
    .filter((file) => textOf(output, file) !== textOf(again, file))
    .map((file) => `${name}: ${file} ${firstDifference(textOf(output, file), textOf(again, file))}`)
}

function firstDifference(some = '', others = ''): string {
  const [a, b] = [some.split('\n'), others.split('\n')]
  const at = a.findIndex((line, index) => line !== b[index])
  return `line ${at + 1}: ${a[at]?.slice(0, 200)} | ${b[at]?.slice(0, 200)}`
}

// Collections that are not below one another have nothing to do with each other, whatever order clients take them in.
async function inOtherOrders(
  design: Design,
  recording: string,
  output: string,
  folder: string,
): Promise<string[]> {
  const lines = readFileSync(join(recording, 'exchanges.ndjson'), 'utf8').trim().split('\n')
  const groups = new Map<string, string[]>()
  for (const line of lines) {
    const { pathname } = new URL((JSON.parse(line) as { request: { url: string } }).request.url)
    const root =
      pathname
        .slice(design.prefix.length)
        .replace(/\.json$/, '')
        .split('/')[1] ?? ''
    groups.set(root, [...(groups.get(root) ?? []), line])
  }
  if (groups.size < 2) return []
  const random = randomOf(design.seed, 99)
  const left = [...groups.values()].map((group) => [...group])
  const mixed: string[] = []
  while (left.some((group) => group.length > 0)) {
    const some = left.filter((group) => group.length > 0)
    mixed.push(some[Math.floor(random() * some.length)]?.shift() as string)
  }
  // The report names the recording.
  const copy = join(folder, 'b/recording')
  mkdirSync(copy, { recursive: true })
  writeFileSync(join(copy, 'exchanges.ndjson'), `${mixed.join('\n')}\n`)
  return differing(copy, output, folder, 'in another order')
}
