import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Extent, Report } from './check-description.ts'

/** How descriptions are checked, some at a time. */
export interface Checking {
  readonly extent: Extent
  readonly processes: number
  /** Is called with each report as it comes. */
  report(this: void, report: Report): void
}

// One description may need much time, but none needs this long.
const MAX_MS = 1_800_000
// Some descriptions are large; what is left of them is not to fill a process.
const FILES_EACH = 100

/** Checks descriptions in processes of their own, each description in one of them. */
export async function checkAll(
  files: readonly string[],
  { extent, processes, report }: Checking,
): Promise<void> {
  const waiting = files.values()
  await Promise.all(
    Array.from({ length: processes }, async () => {
      let child: ChildProcess | undefined
      let checked = 0
      for (const file of waiting) {
        child ??= await start()
        report(await ask(child, file, extent))
        if (++checked % FILES_EACH === 0 || child.exitCode !== null) {
          child.kill()
          child = undefined
        }
      }
      child?.kill()
    }),
  )
}

async function start(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], {
    execArgv: ['--import', import.meta.resolve('jiti/register'), '--max-old-space-size=4096'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // As JSON, an extent without end would be none.
    serialization: 'advanced',
  })
  await once(child, 'message')
  return child
}

async function ask(child: ChildProcess, file: string, extent: Extent): Promise<Report> {
  const done = new AbortController()
  const signal = AbortSignal.any([done.signal, AbortSignal.timeout(MAX_MS)])
  const answered = once(child, 'message', { signal }) as Promise<[Report]>
  const ended = once(child, 'exit', { signal }) as Promise<[number | null]>
  child.send({ file, extent })
  try {
    return await Promise.race([
      answered.then(([report]) => report),
      ended.then(([code]): never => {
        throw new Error(`the process ended with ${code}`)
      }),
    ])
  } catch (error) {
    child.kill('SIGKILL')
    const refused = `the check failed: ${(error as Error).message}`
    return { file, refused, loadMs: 0, operations: 0, unasked: {}, answers: 0, wrong: [] }
  } finally {
    done.abort()
    await Promise.allSettled([answered, ended])
  }
}
