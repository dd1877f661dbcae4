import { idleSessions } from './fleet-scripts.ts'
import { createLease } from './lease.ts'
import type { SessionsOptions } from '../sessions.ts'
import { factsOf, problemsOfPolicy } from './server.ts'
import { endSessions, type RunOptions } from './shared-run.ts'

/** What ends sessions. */
export interface JanitorOptions extends RunOptions {
  readonly instance: string
  readonly options: SessionsOptions
  /** Logs what has to be set otherwise. */
  readonly warn: (text: string) => void
}

/** How often the settings of the server are looked at. */
const EXAMINE_MS = 1000

/**
 * Reports which sessions were used here, and ends those of all gateways that are due, where no other gateway does. It
 * also looks whether the server drops items by now, which no gateway would have begun with.
 */
export function openJanitor(given: JanitorOptions): { close(): Promise<void> } {
  const { connection, keys, sessions, instance } = given
  const { max = 200, idleSeconds = 600 } = given.options
  const idleMs = Math.round(idleSeconds * 1000)
  const lookMs = Math.min(1000, Math.max(20, idleMs / 4))
  const lease = createLease({ ask: connection, key: keys.janitor, holder: instance })
  const due = async (): Promise<readonly string[]> =>
    (await connection.run(idleSessions, [keys.sessions], [idleMs, max])) as string[]
  let [problem, examined] = ['', 0]
  const examine = async (): Promise<void> => {
    if (performance.now() < examined + EXAMINE_MS) return
    examined = performance.now()
    const facts = factsOf(String(await connection.command(['INFO', 'memory'], true)))
    const before = problem
    problem = problemsOfPolicy(facts, 'The server of the shared state').join()
    if (problem !== '' && problem !== before) given.warn(problem)
  }
  let work: Promise<void> | undefined
  const look = async (): Promise<void> => {
    await sessions.reportUse()
    if (!lease.isHeld && !(await lease.take())) return
    // Looked for again under the lock, since they may be used meanwhile.
    if ((await due()).length > 0) await endSessions(given, due)
  }
  const timer = setInterval(() => {
    if (!connection.isUp) return
    work ??= look()
      .then(examine)
      .catch(() => undefined)
      .finally(() => (work = undefined))
  }, lookMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await work
      if (lease.isHeld) await lease.release().catch(() => undefined)
    },
  }
}
