import type { Relay, Relayed } from './relay.ts'
import type { Server } from './server.ts'

/** Which of two sessions: what is inferred from `A` is put to `B`, which does other things with other values. */
export type Which = 'A' | 'B'

/**
 * Runs a step of a session, which is named for what it does; steps of one name are compared with each other.
 * @param isRight whether the client got what it wanted; that it got no error, if not given
 * @returns what `run` gave; `undefined` where it failed
 */
export type Check = <Value>(
  name: string,
  run: () => Promise<Value> | Value,
  isRight?: (value: Value, error: unknown) => unknown,
) => Promise<Value | undefined>

/** One file of `systems/`: a real server, and what its usual client does with it. */
export interface System {
  /** Starts the server with nothing in it. @param directory a folder of its own, which is there and empty */
  start(directory: string): Promise<Server>
  /** @param directory a folder of its own for what the client keeps */
  session?(base: string, which: Which, check: Check, directory: string): Promise<void>
  /** Clients that use the server at the same time. */
  readonly clients?: readonly ((base: string, check: Check, directory: string) => Promise<void>)[]
  /** Proves what is particular to it. @param directory a folder of its own; `note` says what was proven, and what is wrong */
  proveItself?(
    directory: string,
    note: (what: string, ok: boolean, why?: readonly string[]) => void,
  ): Promise<void>
  /** Whether the keys of a JSON object are data, by the pointer to it. */
  isMap?(pointer: string): boolean
  /** Whether the server is to see the client's `Host`, as where it checks signatures of requests. */
  readonly keepsHost?: boolean
  /** Programs that it needs. */
  readonly needs?: readonly string[]
  /** Bars that are not reached yet, by their names, with the reason. */
  readonly short?: Readonly<Record<string, string>>
}

/** What became of a step of a session. */
export interface Checked {
  readonly name: string
  readonly ok: boolean
  readonly failure: string
}

/** What a session did, and what it was answered. */
export interface Played {
  readonly exchanges: readonly Relayed[]
  readonly checks: readonly Checked[]
}

/** Runs a session by way of a relay. */
export async function play(
  relay: Relay,
  target: string,
  session: (base: string, check: Check) => Promise<void>,
): Promise<Played> {
  const checks: Checked[] = []
  relay.to(target)
  const check: Check = async (name, run, isRight = (_value, error) => error === undefined) => {
    relay.begin(name)
    let [value, error]: [Awaited<ReturnType<typeof run>> | undefined, unknown] = [undefined, undefined]
    try {
      value = await run()
    } catch (thrown) {
      error = thrown ?? new Error('thrown without a value')
    }
    await relay.settled()
    const ok = isTrue(() => isRight(value as Awaited<ReturnType<typeof run>>, error))
    checks.push({ name, ok, failure: ok ? '' : shown(error ?? value) })
    return value
  }
  await session(relay.url, check)
  await relay.settled()
  return { exchanges: relay.take(), checks }
}

function isTrue(holds: () => unknown): boolean {
  try {
    return Boolean(holds())
  } catch {
    return false
  }
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`.slice(0, 300)
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 300)
  } catch {
    return String(value).slice(0, 300)
  }
}
