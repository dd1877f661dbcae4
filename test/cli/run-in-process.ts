import { vi } from 'vitest'
import { sim } from '../../src/cli/cli.ts'

/** What a command printed, and its exit code. */
export interface Printed {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A command line, such as that of `sim`. */
export type CommandLine = (args: readonly string[]) => Promise<number | undefined>

/** Runs a command of `sim` in this process. */
export async function simHere(...args: readonly string[]): Promise<Printed> {
  return runHere(sim, args)
}

/** Runs a command line in this process. */
export async function runHere(commandLine: CommandLine, args: readonly string[]): Promise<Printed> {
  const printed = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text)
      return true
    }),
  )
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((text) => void (printed.stdout += `${String(text)}\n`))
  try {
    const code = await commandLine(args)
    return { code, ...printed }
  } finally {
    for (const spy of [...spies, log]) spy.mockRestore()
  }
}

/** A command that serves in this process. */
export interface Served extends Printed {
  readonly url: string
  /** Does what a SIGTERM does; resolves with the exit code. */
  stop(): Promise<unknown>
}

/** Starts a command of `sim` that serves in this process, on a free port. */
export async function serveHere(...args: readonly string[]): Promise<Served> {
  return serveBy(sim, args)
}

/** Starts a command line that serves in this process, on a free port. */
export async function serveBy(commandLine: CommandLine, args: readonly string[]): Promise<Served> {
  const before = new Set(process.listeners('SIGTERM'))
  const printed = await runHere(commandLine, [...args, '--port', '0'])
  const added = (['SIGTERM', 'SIGINT'] as const).map((signal) => process.listeners(signal).at(-1))
  const [, url = ''] = /^listening on (\S+)$/m.exec(printed.stdout) ?? []
  return {
    ...printed,
    url,
    stop: () =>
      new Promise((ended) => {
        const exit = vi.spyOn(process, 'exit').mockImplementation(((code: number) => {
          exit.mockRestore()
          ended(code)
        }) as never)
        const drain = process.listeners('SIGTERM').find((each) => !before.has(each))
        drain?.('SIGTERM')
        for (const [index, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
          const listener = added[index]
          if (listener !== undefined) process.off(signal, listener)
        }
      }),
  }
}
