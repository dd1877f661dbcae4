import { createHash } from 'node:crypto'
import type { Seed } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { StoreSnapshot } from '../store.ts'
import type { Ask } from './connection.ts'
import { defineScript } from './scripts.ts'

/** What all gateways of one state must have alike. */
export interface Fingerprints {
  /** Routes, seed and first items. */
  readonly app: string
  /** The certificate authority that clients trust; absent where TLS is not read. */
  readonly ca?: string | undefined
  /** The key that pseudonyms in recordings are made with; absent where there are none. */
  readonly pseudonyms?: string | undefined
}

const compareFingerprint = defineScript(
  'compareFingerprint',
  [],
  `local known = redis.call('HGET', KEYS[1], ARGV[1])
if not known or ARGV[3] == '1' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  return ARGV[2]
end
return known`,
)

const REASONS: Readonly<Record<keyof Fingerprints, string>> = {
  app: 'Gateways with other routes, another seed or other first items use the shared state. Give this app a state of its own with --state-name, or have it take over what is stored with --state-app adopt',
  ca: 'Gateways with another certificate authority use the shared state, so that clients would trust only some of them. Give all of them the same --ca-dir',
  pseudonyms:
    'Gateways with another key for pseudonyms use the shared state. Give all of them the same SIM_STATE_DIR',
}

/** Why gateways of this kind cannot join those of a state; the first of all says what is alike. */
export async function problemsOfFingerprints(
  ask: Ask,
  key: string,
  given: Fingerprints,
  isAdopted: boolean,
): Promise<string[]> {
  const problems: string[] = []
  for (const [name, own] of Object.entries(given) as [keyof Fingerprints, string | undefined][]) {
    if (own === undefined) continue
    const adopts = name === 'app' && isAdopted
    const known = await ask.run(compareFingerprint, [key], [name, own, Number(adopts)])
    if (known !== own) problems.push(REASONS[name])
  }
  return problems
}

/** What an app is recognized by: its routes as they are declared, its seed and its first items. */
export function fingerprintOfApp(
  seed: Seed,
  routes: readonly Pick<RouteDefinition, 'key' | 'options'>[],
  first: StoreSnapshot | undefined,
): string {
  const declared = routes.map(({ key, options }) => `${key} ${JSON.stringify(options, withoutCycles())}`)
  return fingerprintOf(JSON.stringify(seed), ...declared.toSorted(), JSON.stringify(first ?? null))
}

// Functions count by their code; what holds itself, as some models do, counts once.
function withoutCycles(): (key: string, value: unknown) => unknown {
  const seen = new WeakSet()
  return (_key, value) => {
    if (typeof value === 'function') return String(value)
    if (typeof value === 'bigint') return String(value)
    if (value === null || typeof value !== 'object') return value
    if (seen.has(value)) return 'again'
    seen.add(value)
    return value
  }
}

/** What texts are recognized by. */
export function fingerprintOf(...texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex').slice(0, 32)
}

/** The seed that all gateways use: that of whoever starts first. @param key where it is kept */
export async function agreeOnSeed(ask: Ask, key: string, drawn: Seed): Promise<Seed> {
  const agreed = await ask.run(takeSeed, [key], [JSON.stringify(drawn)])
  return JSON.parse(String(agreed)) as Seed
}

const takeSeed = defineScript(
  'takeSeed',
  [],
  `redis.call('HSETNX', KEYS[1], 'drawn', ARGV[1])
return redis.call('HGET', KEYS[1], 'drawn')`,
)
