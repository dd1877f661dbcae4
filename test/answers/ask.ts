import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createExampleUpstream } from '../../examples/upstream.ts'
import { createSimHosts, type RunningSim, type SimHosts } from '../sim-host/sim-host.ts'
import { createClient, type Client, type Got, type Sent } from './client.ts'
import type { Command, Page } from './pages.ts'
import { createRequests } from './requests.ts'

/** A request, and what one build answered. */
export interface Exchange {
  readonly request: Sent
  readonly answer: Got
}

/** What one app was sent and answered. */
export interface AppAnswers {
  readonly app: string
  /** A digest of its files and how it was started: the same app where it is the same. */
  readonly digest: string
  /** Why it does not serve, where it does not. */
  readonly refused?: string
  readonly exchanges: readonly Exchange[]
}

export interface AskOptions {
  /** The folder of a checkout that is built. */
  readonly build: string
  readonly seed: number
  /** How many requests each app is sent. */
  readonly count: number
  /** What was sent before, by app, to be sent again; it is generated where this is missing. */
  readonly requests?: ReadonlyMap<string, readonly Sent[]>
}

/** Most of the time is waited. */
const PAGES_AT_ONCE = 2
/** The moment of all answers. */
const NOW = Date.UTC(2026, 0, 1, 12)

/** Starts every app of the pages from a build and sends each its requests, in the order of the pages. */
export async function askAll(pages: readonly Page[], options: AskOptions): Promise<AppAnswers[]> {
  const waiting = [...pages.entries()]
  const answers: AppAnswers[][] = []
  const upstream = createExampleUpstream()
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sim-answers-')))
  const env = {
    ...cleanEnvironment(),
    SIM_STATE_DIR: root,
    SIM_HOST_NOW: String(NOW),
    // Requests without a log have no ids, which would be others each time.
    SIM_LOG_LEVEL: 'silent',
  }
  const hosts = createSimHosts(options.build, env)
  try {
    install(root, options.build)
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        answers[next[0]] = await askPage(next[1], options, {
          root,
          env,
          hosts,
          upstream: `127.0.0.1:${port}`,
        })
    }
    await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work))
  } finally {
    upstream.close()
    hosts.close()
    rmSync(root, { recursive: true, force: true })
  }
  return answers.flat()
}

interface Place {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly hosts: SimHosts
  readonly upstream: string
}

async function askPage(
  { name, steps }: Page,
  options: AskOptions,
  { root, env, hosts, upstream }: Place,
): Promise<AppAnswers[]> {
  const ports = new Map([['3000', upstream]])
  const running = new Map<string, RunningSim>()
  const written = new Map<string, string>()
  const answers: AppAnswers[] = []
  let folder = join(root, name.replaceAll('/', '-'))
  mkdirSync(folder)
  const toReal = (text: string): string =>
    text.replace(/\b127\.0\.0\.1:(\d+)/g, (whole, port: string) => ports.get(port) ?? whole)
  const toPage = (answer: Got): Got => {
    const texts = [...ports].reduce(
      (text, [port, real]) => text.replaceAll(real, `127.0.0.1:${port}`),
      JSON.stringify(answer),
    )
    return JSON.parse(texts) as Got
  }

  for (const step of steps) {
    if (step.kind === 'write') {
      // A process keeps the modules it has loaded, so that a changed one needs another folder.
      if (written.has(step.file)) {
        cpSync(folder, `${folder}-`, { recursive: true })
        folder += '-'
      }
      written.set(step.file, step.text)
      mkdirSync(dirname(join(folder, step.file)), { recursive: true })
      writeFileSync(join(folder, step.file), `${toReal(step.text)}\n`)
      continue
    }
    if (step.kind === 'serve') await end(running.get(step.port))
    const args = [...withSeed(step, folder).map(toReal), ...(step.kind === 'serve' ? ['--port', '0'] : [])]
    const command = await hosts.start({ args, cwd: folder, env: { ...env, ...step.env } })
    const url = await served(command)
    if (step.kind === 'run') continue
    running.set(step.port, command)
    const count = answers.filter(({ app }) => app.split(' · ')[0] === step.name).length
    const app = count === 0 ? step.name : `${step.name} · ${count + 1}`
    if (url === undefined) {
      answers.push({
        app,
        digest: step.digest,
        refused: command.shown().replaceAll(folder, '.').trim(),
        exchanges: [],
      })
      continue
    }
    ports.set(step.port, url.replace('http://', ''))
    const exchanges = await ask(url, app, [...written.values()].join('\n'), options)
    answers.push({
      app,
      digest: step.digest,
      exchanges: exchanges.map(({ request, answer }) => ({ request, answer: toPage(answer) })),
    })
  }
  for (const command of running.values()) await end(command)
  return answers
}

async function end(command: RunningSim | undefined): Promise<void> {
  command?.stop()
  await command?.ended
}

/** Where a command listens, once it does; `undefined` when it has ended instead. */
async function served(command: RunningSim): Promise<string | undefined> {
  const url = (): string | undefined => /^listening on (http:\S+)/m.exec(command.stdout())?.[1]
  const listens = new Promise<void>((resolve) => command.onChange(() => url() !== undefined && resolve()))
  if (url() === undefined) await Promise.race([listens, command.ended])
  return url()
}

// An app that would draw its seed is given one.
function withSeed({ args }: Command, folder: string): readonly string[] {
  const [command, target = ''] = args
  const file = join(folder, target)
  const draws =
    command === 'proxy' ||
    (command === 'run' && existsSync(file) && !/\bseed\b/.test(readFileSync(file, 'utf8')))
  return draws && !args.includes('--seed') ? [...args, '--seed', '1'] : args
}

async function ask(url: string, app: string, sources: string, options: AskOptions): Promise<Exchange[]> {
  const client = createClient(url)
  const exchanges: Exchange[] = []
  const send = async (request: Sent): Promise<Got> => {
    const answer = await client.send(request)
    exchanges.push({ request, answer })
    return answer
  }
  const before = options.requests?.get(app)
  if (before === undefined) await generate(send, exchanges, app, sources, options)
  else for (const request of before) await send(request)
  client.close()
  return exchanges
}

async function generate(
  send: Client['send'],
  exchanges: readonly Exchange[],
  app: string,
  sources: string,
  { seed, count }: AskOptions,
): Promise<void> {
  const description = parsed(await send({ method: 'GET', path: '/openapi.json', headers: {} }))
  const routes = parsed(await send({ method: 'GET', path: '/__sim/routes', headers: {} }))
  const requests = createRequests(`${app} ${seed}`, { description, routes, sources })
  while (exchanges.length < count) requests.note(await send(requests.next()))
}

function parsed({ body }: Got): unknown {
  try {
    return JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
  } catch {
    return undefined
  }
}

const COMPANIONS = ['typebox', 'zod', 'arktype', 'valibot', '@valibot', 'fastify', 'express', 'fast-check']

function install(root: string, build: string): void {
  const modules = join(root, 'node_modules')
  mkdirSync(modules)
  symlinkSync(build, join(modules, 'sim-gateway'))
  for (const name of COMPANIONS) symlinkSync(join(build, 'node_modules', name), join(modules, name))
  for (const name of ['ontology', 'workspace'])
    symlinkSync(join(build, 'adapters', name), join(modules, `sim-${name}`))
  // The key that hides secrets, so that they are hidden alike.
  writeFileSync(join(root, 'redaction.key'), Buffer.alloc(32, 1))
  writeFileSync(join(root, 'package.json'), '{ "private": true, "type": "module" }\n')
}

function cleanEnvironment(): NodeJS.ProcessEnv {
  const unwanted = /^(VITEST|NODE_|npm_|FORCE_COLOR|SIM_|.*_PROXY$)/i
  const own = Object.entries(process.env).filter(([name]) => !unwanted.test(name))
  return { ...Object.fromEntries(own), NO_COLOR: '1', TZ: 'UTC' }
}
