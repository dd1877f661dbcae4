import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSimHosts, type SimCommand } from '../sim-host/sim-host.ts'
import { ROOT } from './tables.ts'
import { runningServer, shellProcess, type RunningServer } from './running-server.ts'

/** What a reader's project has installed. */
const PACKAGES = [
  ...['typebox', 'vitest', 'fastify', 'express', 'fast-check', 'jiti', 'typescript', '@types'],
  ...['zod', 'arktype', 'valibot', '@valibot', '@faker-js', '@readme'],
  ...['undici', 'axios', 'got', 'https-proxy-agent', 'ws', 'eventsource'],
]
const COMMANDS = ['vitest', 'jiti', 'tsc']
const MAX_SECONDS = 60

/** How a command ended, and all that a terminal showed meanwhile. */
export interface Ended {
  readonly code: number | null
  readonly shown: string
}

/** A reader's project in a temporary folder, with the servers that run in it. */
export interface Workspace {
  readonly folder: string
  write(file: string, text: string): Promise<void>
  exists(file: string): boolean
  /** Runs a bash script to its end. */
  run(script: string): Promise<Ended>
  /** Runs it by bash even where it holds commands of `sim` alone. */
  runByShell(script: string): Promise<Ended>
  /** Starts a command that serves, in place of the one that served the same port of the page. */
  serve(command: string, port: number): Promise<RunningServer>
  /** A script with the page's ports replaced by those the servers really have. */
  toReal(script: string): string
  /** Ends every server and removes the folder. */
  close(): Promise<void>
}

/** Processes that the pages take turns at, since most of the time of a short command goes by while it is loaded. */
const hosts = createSimHosts(ROOT, environment('nowhere'))

/** A new project with `sim` on its path, as built, and the package and its companions installed. */
export async function createWorkspace(): Promise<Workspace> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'sim-docs-')))
  await install(folder)
  const servers = new Map<number, RunningServer>()
  const running = new Set<ChildProcess>()

  const start = (script: string, detached = false): ChildProcess =>
    spawn('bash', ['-c', `set -eo pipefail; exec 2>&1\n${script}`], {
      cwd: folder,
      env: environment(folder),
      detached,
    })
  const toReal = (script: string): string =>
    script.replace(/\b127\.0\.0\.1:(\d+)/g, (whole, port: string) => servers.get(Number(port))?.host ?? whole)
  const toPage = (shown: string): string =>
    [...servers].reduce((text, [port, { host }]) => text.replaceAll(host, `127.0.0.1:${port}`), shown)

  const runByShell = async (script: string): Promise<Ended> => {
    const child = start(toReal(script), true)
    running.add(child)
    const { code, shown } = await ended(child)
    running.delete(child)
    return { code, shown: toPage(shown) }
  }

  return {
    folder,
    toReal,
    exists: (file) => existsSync(join(folder, file)),
    async write(file, text) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), `${text}\n`)
    },
    async run(script) {
      const commands = plainCommands(toReal(script), environment(folder))
      if (commands === undefined) return runByShell(script)
      let all = ''
      for (const { args, env } of commands) {
        const { ended, shown } = await hosts.start({ args, env, cwd: folder })
        const code = await ended
        all += shown()
        if (code !== 0) return { code, shown: toPage(all) }
      }
      return { code: 0, shown: toPage(all) }
    },
    runByShell,
    async serve(command, port) {
      await servers.get(port)?.stop()
      servers.delete(port)
      const [plain] = plainCommands(toReal(command), environment(folder)) ?? []
      const process =
        plain === undefined
          ? shellProcess(start(toReal(command)))
          : await hosts.start({ ...plain, cwd: folder })
      const server = await runningServer(process, port)
      servers.set(port, server)
      return server
    },
    async close() {
      running.forEach(kill)
      await Promise.all([...servers.values()].map((server) => server.stop()))
      await rm(folder, { recursive: true })
    },
  }
}

async function install(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await symlink(ROOT, join(modules, 'sim-gateway'))
  for (const name of PACKAGES) await symlink(join(ROOT, 'node_modules', name), join(modules, name))
  for (const name of COMMANDS)
    await symlink(join(ROOT, 'node_modules/.bin', name), join(modules, '.bin', name))

  const sim = join(modules, '.bin/sim')
  await writeFile(sim, `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'dist/src/cli/main.js')}' "$@"\n`)
  await chmod(sim, 0o755)
  await writeFile(join(folder, 'package.json'), '{ "name": "docs", "private": true, "type": "module" }\n')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  await writeFile(join(folder, 'node_modules/.curlrc'), 'silent\nshow-error\nmax-time = 30\n')
}

const COMPILER_OPTIONS = {
  ...{ target: 'es2023', module: 'nodenext', types: ['node'], noEmit: true, strict: true },
  ...{ allowImportingTsExtensions: true, skipLibCheck: true, exactOptionalPropertyTypes: true },
}

// What the surrounding test run is configured by must not reach the commands of a reader.
function environment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_|npm_|FORCE_COLOR|.*_PROXY$)/i.test(name),
  )
  return {
    ...Object.fromEntries(own),
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
    CURL_HOME: join(folder, 'node_modules'),
    NO_COLOR: '1',
    TZ: 'UTC',
  }
}

/** The commands of a script that holds plain ones of `sim` alone; `undefined` where it takes a shell to run it. */
function plainCommands(script: string, env: NodeJS.ProcessEnv): Omit<SimCommand, 'cwd'>[] | undefined {
  const lines = script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const commands = lines.map((line) => {
    const [, variables = '', rest] =
      /^(?!.* -- )((?:\w+=[\w.-]* )*)(?:exec )?sim ((?:[\w.,:/@%+=-]|'[^']*'| )+)$/.exec(line) ?? []
    if (rest === undefined || APART.test(rest)) return undefined
    const args = (rest.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''))
    const given = variables
      .split(' ')
      .filter(Boolean)
      .map((each) => each.split('=', 2) as [string, string])
    return { args, env: { ...env, ...Object.fromEntries(given) } }
  })
  return commands.every((command) => command !== undefined) ? commands : undefined
}

/** What needs a process of its own: other processes, and files that are loaded again. */
const APART = /--workers|--watch|-w\b/

async function ended(child: ChildProcess): Promise<Ended> {
  let shown = ''
  child.stdout?.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')))
  const timer = setTimeout(() => kill(child), MAX_SECONDS * 1000)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, shown }
}

// A script leads a group of its own, so that what it has started ends with it.
function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
