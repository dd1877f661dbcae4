import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { RunningSim } from '../sim-host/sim-host.ts'

/** A command that serves. */
export interface RunningServer {
  /** Where it listens, such as `127.0.0.1:41234`. */
  readonly host: string
  /** Resolves with what it has shown once that is as awaited, or after some seconds whatever it is. */
  shows(isAwaited: (shown: string) => boolean): Promise<string>
  stop(): Promise<void>
}

const PATIENCE_MS = 10_000

/** What runs and prints: a command by bash, or one in a process that others use as well. */
export type ServingProcess = Pick<RunningSim, 'shown' | 'onChange' | 'ended' | 'stop'>

/** A command that was started by bash. */
export function shellProcess(child: ChildProcess): ServingProcess {
  let shown = ''
  let change = (): void => undefined
  child.stdout?.on('data', (chunk: Buffer) => {
    shown += chunk.toString('utf8')
    change()
  })
  const ended = once(child, 'close').then(() => {
    change()
    return child.exitCode
  })
  return {
    shown: () => shown,
    onChange: (listener) => (change = listener),
    ended,
    stop: () => void (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')),
  }
}

/** Resolves once a started command says that it listens. @throws Error when it ends before that */
export async function runningServer(process: ServingProcess, port: number): Promise<RunningServer> {
  const { shown, ended } = process
  let check = (): void => undefined
  process.onChange(() => check())

  const waitFor = async (isAwaited: () => boolean, orElse: (give: () => void) => void): Promise<void> => {
    if (isAwaited()) return
    await new Promise<void>((resolve) => {
      check = () => (isAwaited() ? resolve() : undefined)
      orElse(resolve)
    })
  }
  const hostOf = (text: string): string | undefined => /^listening on http:\/\/(\S+)$/m.exec(text)?.[1]
  await waitFor(
    () => hostOf(shown()) !== undefined,
    (give) => void ended.then(give),
  )
  const host = hostOf(shown())
  if (host === undefined) throw new Error(`The server ended before it listened:\n${shown()}`)
  const toPage = (text: string): string => text.replaceAll(host, `127.0.0.1:${port}`)

  return {
    host,
    async shows(isAwaited) {
      let timer: NodeJS.Timeout | undefined
      await waitFor(
        () => isAwaited(toPage(shown())),
        (give) => (timer = setTimeout(give, PATIENCE_MS)),
      )
      clearTimeout(timer)
      return toPage(shown())
    },
    async stop() {
      process.stop()
      await ended
    },
  }
}
