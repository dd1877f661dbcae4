import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { OptionInvalid } from './errors.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { findCertificate } from './http/certificate-authority.ts'
import type { Log } from './http/log.ts'
import { caDirectory } from './http/tls-interception.ts'
import { findPseudonymKey } from './recording/redaction/pseudonym-key.ts'
import type { Redactor } from './recording/redaction/redactor.ts'
import type { AppEngine } from './simulation/engine.ts'
import type { CompiledRule } from './state/chaos.ts'
import type { RedisState } from './state/redis/open-state.ts'
import type { NamedState } from './state/state-options.ts'

interface SharedParts {
  readonly chaos: readonly CompiledRule[]
  readonly redactor: Redactor
  readonly log: Log
}

/**
 * The options of a gateway that shares its state: it has a name, and its recording a folder of that name.
 * @throws OptionInvalid where each would write to the recording that all of them answer from
 */
export function withName<Options extends GatewayOptions>(options: Options): Options {
  const { state, modes = {}, record, recording } = options
  if (state === undefined) return options
  const names = [modes.mode, ...(modes.rules ?? []).map(({ mode }) => mode)]
  const adds = names.some((name) => name === 'spy' || name === 'new-episodes')
  if (adds && record !== undefined && recording !== undefined && resolve(record) === resolve(recording))
    throw new OptionInvalid(
      `record: gateways that share their state save to a folder each below ${record}, which is the recording that they answer from. Leave out record: mode new-episodes adds to that recording, by one of them at a time`,
    )
  const gateway = state.gateway ?? drawName()
  return {
    ...options,
    state: { ...state, gateway },
    ...(record !== undefined && { record: join(record, gateway) }),
  }
}

function drawName(): string {
  const letters = [...randomBytes(4)].map((byte) => String.fromCodePoint(97 + (byte % 26))).join('')
  return `${hostname()}-${process.pid}-${letters}`
}

/** Joins the gateways that share a state; what that takes is loaded here alone. */
export async function openSharedState(
  options: NamedState,
  { sessions, tls, targets, record, recording }: GatewayOptions,
  engine: AppEngine,
  { chaos, redactor, log }: SharedParts,
): Promise<RedisState> {
  const { openState } = await import('./state/redis/open-state.ts')
  const { fingerprintOf, fingerprintOfApp } = await import('./state/redis/fingerprints.ts')
  const { seed, routes, store } = engine
  const first = store?.snapshot()
  // Who has the same authority and key is trusted and read alike, whichever gateway answers.
  const readsTls = tls?.caDirectory !== undefined || targets?.proxy === true
  const certificate = readsTls ? await findCertificate(tls?.caDirectory ?? caDirectory()) : undefined
  const pseudonyms = (record ?? recording) === undefined ? undefined : await findPseudonymKey()
  return openState(options, {
    ...{ seed, chaos, redactor, first, ...sessions },
    fingerprints: {
      app: fingerprintOfApp(seed, routes, first),
      ca: certificate && fingerprintOf(certificate),
      pseudonyms: pseudonyms && fingerprintOf(pseudonyms.toString('base64')),
    },
    warn: (text) => log.warn(text),
  })
}
