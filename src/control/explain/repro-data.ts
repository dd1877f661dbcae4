import { compileRules } from '../../state/chaos.ts'
import { readChaos, rulesOf, toData } from '../../../plugins/chaos/read-rules.ts'
import type { Seed } from '../../engine/random.ts'
import type { MemoryRequest, MemoryResponse } from '../../http/memory-transport.ts'
import type { Headers } from '../../message.ts'
import type { Plugin } from '../../pipeline/route.ts'
import type { Watch } from '../../pipeline/rerun.ts'
import { createMemoryStore } from '../../state/memory-store.ts'
import type { Past } from '../../state/past.ts'
import type { StoreSnapshot } from '../../state/store.ts'
import { SnapshotInvalid } from '../../errors.ts'
import { isObject } from '../../engine/schema/schema.ts'

/** Bytes in JSON: as a text where they are one. */
export type Bytes = { readonly text: string } | { readonly base64: string }

/** A request and all that its answer depends on, as JSON. Keys of files are as in other JSON of the gateway. */
export interface ReproData {
  readonly version: 1
  /** Of the package that made it. */
  readonly sim: string
  readonly id: number
  readonly session: string
  readonly app: {
    /** Directory that the command ran in, below `app`. */
    readonly directory: string
    readonly targets: readonly {
      readonly target: string
      readonly options: Readonly<Record<string, unknown>>
    }[]
    readonly joined: boolean
    readonly gateway_seed: Seed
    readonly defaults: Readonly<Record<string, unknown>>
    readonly cors?: unknown
  }
  readonly state: {
    readonly seed: Seed
    readonly rules: readonly unknown[]
    readonly rules_since: number
    readonly came: number
    readonly answered: number
    readonly key: string
    readonly ordinal: number
    readonly step: number
    readonly admitted: readonly { readonly key: string; readonly times: readonly number[] }[]
    readonly store?: StoreSnapshot
  }
  readonly request: {
    readonly method: string
    readonly url: string
    readonly scheme: 'http' | 'https'
    readonly host: string
    readonly prefix: string
    readonly headers: Headers
    readonly body?: Bytes
    readonly remote_address?: string
  }
  /** Policies that it does not meet again, since the credentials that they want are not in here. */
  readonly policies_left_out: readonly string[]
  /** How many secrets are hidden, where other bytes than these were sent with them. */
  readonly secrets_hidden?: number
  /** What it answers. */
  readonly answer: { readonly status: number; readonly body: Bytes }
}

/** Bytes as JSON has them. */
export function toBytes(bytes: Buffer): Bytes {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? { text } : { base64: bytes.toString('base64') }
}

/** The way back. */
export function fromBytes(bytes: Bytes): Buffer {
  return 'text' in bytes ? Buffer.from(bytes.text) : Buffer.from(bytes.base64, 'base64')
}

/** State as JSON. */
export function toState(past: Past): ReproData['state'] {
  const { seed, rules, since, moment, answeredAt, key, ordinal, step, admitted, store } = past
  return {
    seed,
    rules: rules.map(({ name, rule }) => toData({ name, ...rule })),
    ...{ rules_since: since, came: moment, answered: answeredAt, key, ordinal, step },
    admitted: admitted.map(({ key: own, times, from, to }) => ({ key: own, times: times.slice(from, to) })),
    ...(store !== undefined && { store: store.snapshot() }),
  }
}

/** The state, the request and who looks on, as a rerun takes them. */
export function readRepro(data: ReproData): {
  readonly past: Past
  readonly request: MemoryRequest
  readonly watch: Watch
} {
  const { id, session, state, request, policies_left_out: leftOut } = data
  const { seed, rules, rules_since: since, came, answered, key, ordinal, step, admitted } = state
  const { body, remote_address: remoteAddress, ...head } = request
  const store = state.store && createMemoryStore()
  if (state.store !== undefined) store?.restore(state.store)
  return {
    past: {
      ...{ id, session, seed, since, key, ordinal, step, store },
      rules: compileRules(rulesOf(readChaos({ rules }))),
      moment: came,
      answeredAt: answered,
      admitted: admitted.map(({ key: own, times }) => ({ key: own, times, from: 0, to: times.length })),
    },
    request: {
      ...head,
      ...(body !== undefined && { body: fromBytes(body) }),
      ...(remoteAddress !== undefined && { remoteAddress }),
    },
    watch: {
      plugins: (plugins: readonly Plugin[]) => plugins.filter(({ name }) => !leftOut.includes(name)),
    },
  }
}

/** Whether an answer is the one that the data says. */
export function isExpected({ answer }: ReproData, { status, body }: MemoryResponse): boolean {
  return status === answer.status && body.equals(fromBytes(answer.body))
}

/** Checks what was read from a file. @throws SnapshotInvalid for other data */
export function checkRepro(data: unknown, file: string): ReproData {
  const isKnown =
    isObject(data) && data['version'] === 1 && isObject(data['state']) && isObject(data['request'])
  if (!isKnown)
    throw new SnapshotInvalid(`${file} is not what sim repro writes: it needs version 1, state and request`)
  return data as unknown as ReproData
}
