import { UsageInvalid } from '../errors.ts'
import { STATE_OPTIONS } from '../options/state-options.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { namespaceOf } from '../state/redis/keys.ts'
import { openStateServer, type StateServer } from '../state/redis/state-server.ts'
import type { Given } from './command.ts'
import { readFlags } from './flags.ts'

interface ServerFlags {
  readonly state: string | undefined
  readonly name: string | undefined
}

/** Which state a command is about. */
export const SERVER_FLAGS: Readonly<Record<keyof ServerFlags, Option>> = {
  state: {
    ...STATE_OPTIONS.url,
    flag: { name: 'state', describe: 'URL of the Redis or Valkey server that keeps it (or SIM_STATE)' },
  },
  name: {
    ...STATE_OPTIONS.name,
    flag: { name: 'name', describe: 'Name of what gateways share', otherwise: 'sim' },
  },
}

/** Which of its sessions. */
export const SESSION_FLAGS: Readonly<Record<'session', Option>> = {
  session: {
    ...TEXT,
    flag: {
      name: 'session',
      describe: 'Key of the session; the one without a key if not given',
      requiresArg: true,
    },
  },
}

/** What the commands are about. */
interface Shared {
  readonly server: StateServer
  readonly name: string
  readonly namespace: string
}

/**
 * Connects to the state that the flags or SIM_STATE name, and ends the connection whatever happens.
 * @throws UsageInvalid without either, StateUnavailable, StateUnusable
 */
export async function withState(given: Given, work: (shared: Shared) => Promise<void>): Promise<void> {
  const flags = readFlags<ServerFlags>(given, SERVER_FLAGS)
  const url = flags.state ?? (process.env['SIM_STATE'] || undefined)
  if (url === undefined)
    throw new UsageInvalid('Say where the state is: --state redis://127.0.0.1:6379, or SIM_STATE')
  const { name = 'sim' } = flags
  const namespace = namespaceOf({ name })
  const server = await openStateServer(url, namespace)
  try {
    await work({ server, name, namespace })
  } finally {
    await server.close()
  }
}

/** The key of the session that is named; empty for the one without a key. */
export function sessionOf(given: Given): string {
  return readFlags<{ readonly session: string | undefined }>(given, SESSION_FLAGS).session ?? ''
}

/** A session as messages name it. */
export const titleOf = (session: string): string =>
  session === '' ? 'the session without a key' : `session '${session}'`

/** Names on stderr the gateways that have not applied a change. */
export function sayBehind(behind: readonly string[]): void {
  if (behind.length > 0)
    process.stderr.write(`Not in force yet on ${behind.join(', ')}, which answer nothing until it is\n`)
}
