import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** What a command ended with when it could not even be started: as shells have it. */
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
/** By how much shells raise the number of the signal that ended a command. */
const BY_SIGNAL = 128
const KILL_MS = 5_000

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/** A command that runs with this process's own input and output. */
export interface RunningCommand {
  /** Its exit code, as a shell has it. */
  readonly ended: Promise<number>
  /** Has it end, by force where it does not. */
  stop(): void
}

/** Runs a command, and passes on to it the signals that this process gets. */
export function runCommand(
  [file = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RunningCommand {
  const pass = (signal: NodeJS.Signals): void => {
    // A terminal sends these to all that run in it.
    if (process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT')) return
    child.kill(signal)
  }
  // Before the command is there: a signal that came in between would end this process alone.
  for (const signal of PASSED_ON) process.on(signal, pass)
  const child = spawn(file, args, { stdio: 'inherit', env, shell: process.platform === 'win32' })
  // However this process ends, nothing is left that would use a gateway that is gone.
  const leave = (): void => void child.kill()
  process.once('exit', leave)
  const ended = new Promise<number>((resolve) => {
    const end = (code: number): void => {
      for (const signal of PASSED_ON) process.off(signal, pass)
      process.off('exit', leave)
      resolve(code)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return
      process.stderr.write(`${file}: ${error.code === 'ENOENT' ? 'command not found' : error.message}\n`)
      end(error.code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE)
    })
    child.once('exit', (code, signal) => end(code ?? BY_SIGNAL + constants.signals[signal ?? 'SIGTERM']))
  })
  return {
    ended,
    stop() {
      child.kill()
      setTimeout(() => child.kill('SIGKILL'), KILL_MS).unref()
    },
  }
}
