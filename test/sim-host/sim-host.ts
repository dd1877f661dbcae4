import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A command of `sim` as it is given, without `sim` itself. */
export interface SimCommand {
  readonly args: readonly string[]
  readonly cwd: string
  /** All variables it sees; those of this process where it is left out. */
  readonly env?: NodeJS.ProcessEnv | undefined
}

/** A command that runs, as if in a process of its own. */
export interface RunningSim {
  stdout(): string
  stderr(): string
  /** What a terminal shows: both, in the order in which they were printed. */
  shown(): string
  /** Is called after anything was printed, and when it has ended. */
  onChange(listener: () => void): void
  /** Its exit code; `null` when the process broke. */
  readonly ended: Promise<number | null>
  /** Does what a SIGTERM does. */
  stop(): void
}

/** Processes that run commands one after the other, so that each need not load all of `sim` again. */
export interface SimHosts {
  start(command: SimCommand): Promise<RunningSim>
  close(): void
}

interface Host {
  readonly child: ChildProcess
  /** When the modules were written that it may have loaded, and so keeps. */
  readonly loaded: Map<string, number>
  idle: boolean
}

type Message = { readonly name?: 'stdout' | 'stderr'; readonly text?: string; readonly code?: number }

/** @param checkout the folder of a built checkout */
export function createSimHosts(checkout: string, env: NodeJS.ProcessEnv = process.env): SimHosts {
  const hosts = new Set<Host>()

  const create = async (): Promise<Host> => {
    const child = fork(join(import.meta.dirname, 'host.mjs'), [checkout], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env,
    })
    const host = { child, loaded: new Map<string, number>(), idle: false }
    hosts.add(host)
    child.once('exit', () => hosts.delete(host))
    await once(child, 'message')
    return host
  }
  const take = async (modules: ReadonlyMap<string, number>): Promise<Host> => {
    for (const host of hosts) {
      if (!host.idle) continue
      const isStale = [...modules].some(([file, time]) => (host.loaded.get(file) ?? time) !== time)
      if (!isStale) {
        host.idle = false
        return host
      }
      host.child.kill('SIGKILL')
      hosts.delete(host)
    }
    return create()
  }

  return {
    async start(command) {
      const modules = modulesOf(command)
      const host = await take(modules)
      for (const [file, time] of modules) host.loaded.set(file, time)
      host.child.ref()
      host.child.channel?.ref()
      const running = run(host.child, command)
      void release(host, running)
      return running
    },
    close() {
      for (const { child } of hosts) child.kill('SIGKILL')
    },
  }
}

async function release(host: Host, { ended }: RunningSim): Promise<void> {
  await ended
  host.idle = true
  host.child.unref()
  host.child.channel?.unref()
}

function run(child: ChildProcess, { args, cwd, env = process.env }: SimCommand): RunningSim {
  const printed = { stdout: '', stderr: '' }
  let shown = ''
  let hasEnded = false
  const listeners = new Set<() => void>()
  const change = (): void => listeners.forEach((listener) => listener())
  const ended = new Promise<number | null>((resolve) => {
    const finish = (code: number | null): void => {
      hasEnded = true
      child.off('message', receive)
      child.off('exit', broken)
      resolve(code)
      change()
    }
    const broken = (code: number | null): void => finish(code)
    const receive = ({ name, text = '', code }: Message): void => {
      if (code !== undefined) return finish(code)
      if (name === undefined) return
      printed[name] += text
      shown += text
      change()
    }
    child.on('message', receive)
    child.once('exit', broken)
  })
  child.send({ args, cwd, env })
  return {
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    shown: () => shown,
    onChange: (listener) => listeners.add(listener),
    ended,
    stop: () => void (hasEnded || child.send({ stop: true })),
  }
}

// A process keeps a module that it has loaded, so that one that was written anew needs another process.
function modulesOf({ args, cwd }: SimCommand): Map<string, number> {
  const named = args.map((arg) => resolve(cwd, arg.replace(/:\w+$/, ''))).filter((file) => existsSync(file))
  const files = [...named, ...readdirSync(cwd).map((name) => join(cwd, name))]
  const modules = files.filter((file) => /\.(?:ts|mjs|js)$/.test(file))
  return new Map(modules.map((file) => [file, statSync(file).mtimeMs]))
}
