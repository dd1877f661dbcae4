import type { Engine } from '../engine/engine.ts'
import type { RouteDefinition } from '../engine/route.ts'
import { OptionInvalid } from '../errors.ts'
import type { ContractOptions, OpenContract } from '../openapi/contract/contract.ts'
import { CHECK_LEVELS, type CheckLevel } from '../pipeline/contract.ts'

/** What exchanges are checked against, and what is done about what is found. */
export interface CheckOptions {
  /** Default: `off`. */
  readonly level?: CheckLevel | undefined
  /** The most bytes of a body that are looked at, and that are held of an answer that is enforced. Default: 1 MiB. */
  readonly bodyLimit?: number | undefined
  /** The routes that say what is right. Default: those that the gateway declares. */
  readonly routes?: readonly RouteDefinition[] | undefined
}

/** The most bytes of a body that are looked at by default. */
export const DEFAULT_CHECK_BODY_LIMIT = 1024 * 1024

/** @throws OptionInvalid for an option that cannot be */
export function checkContractOptions({ level = 'off', bodyLimit = 0 }: CheckOptions = {}): void {
  if (!CHECK_LEVELS.some((name) => name === level))
    throw new OptionInvalid(
      `check: level must be one of ${CHECK_LEVELS.join(', ')}, not '${level as string}'`,
    )
  if (!Number.isSafeInteger(bodyLimit) || bodyLimit < 0)
    throw new OptionInvalid('check: bodyLimit must be a whole number of bytes, 0 or more')
}

/** Opens what exchanges are checked against; `undefined` where they are not. Its code is loaded where they are. */
export async function openContract(
  { level = 'off', bodyLimit = DEFAULT_CHECK_BODY_LIMIT, routes }: CheckOptions = {},
  { engine, ...others }: { readonly engine: Engine } & Pick<ContractOptions, 'redactor' | 'log' | 'hasPages'>,
): Promise<OpenContract | undefined> {
  if (level === 'off') return undefined
  const { createContract } = await import('../openapi/contract/contract.ts')
  const isEnforced = level === 'enforce'
  return createContract({ routes: routes ?? engine.routes, isEnforced, bodyLimit, ...others })
}
