import { idleSessions } from './fleet-scripts.ts'
import { createLease } from './lease.ts'
import type { SessionsOptions } from '../sessions.ts'
import { endSessions, type RunOptions } from './shared-run.ts'

/** What ends sessions. */
export interface JanitorOptions extends RunOptions {
  readonly instance: string
  readonly options: SessionsOptions
}

/** Reports which sessions were used here, and ends those of all gateways that are due, where no other gateway does. */
export function openJanitor(given: JanitorOptions): { close(): Promise<void> } {
  const { connection, keys, sessions, instance } = given
  const { max = 200, idleSeconds = 600 } = given.options
  const idleMs = Math.round(idleSeconds * 1000)
  const lookMs = Math.min(1000, Math.max(20, idleMs / 4))
  const lease = createLease({ ask: connection, key: keys.janitor, holder: instance })
  const due = async (): Promise<readonly string[]> =>
    (await connection.run(idleSessions, [keys.sessions], [idleMs, max])) as string[]
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
