import { rulesOf } from '../../../plugins/chaos/read-rules.ts'
import type { AppGatewayOptions, GatewayDefaults, GatewayOptions } from '../../gateway.ts'
import { UsageInvalid } from '../../errors.ts'

/**
 * Checks that each of several processes can answer without asking the others, but for what they share by `--state`.
 * @throws UsageInvalid which names all that cannot be shared
 */
export function checkShareable(options: AppGatewayOptions): void {
  const reasons = [
    ...(options.state === undefined ? unsharedOf(options) : []),
    ...given((options.middleware ?? []).length > 0, 'middleware may keep what only one process knows'),
  ]
  if (reasons.length > 0) refuseWorkers(reasons, options.state === undefined)
}

function unsharedOf(options: AppGatewayOptions): readonly string[] {
  return [
    ...given(options.engine.store !== undefined, 'stateful routes keep their items in one process'),
    ...options.engine.routes.flatMap(({ key, options: { scenario = [], ...rest } }) => [
      ...given(scenario.length > 0, `the scenario of ${key} counts requests`),
      ...chanceIn(rest, ` of ${key}`),
    ]),
    ...chanceIn(options.defaults ?? {}, ''),
    ...given(rulesOf(options.chaos ?? {}).length > 0, 'chaos counts requests'),
    ...modesOf(options)
      .filter((mode) => mode !== 'simulate' && mode !== 'forward')
      .map((mode) => `mode '${mode}' counts or writes what it sees`),
    ...given((options.check?.level ?? 'off') !== 'off', '--check counts what it has seen'),
    ...given(options.record !== undefined, '--record writes one file'),
    ...given((options.adapters ?? []).length > 0, 'adapters keep their state in one process'),
  ]
}

/** @param isShareable whether `--state` would help @throws UsageInvalid always */
export function refuseWorkers(reasons: readonly string[], isShareable = false): never {
  const help = isShareable ? 'Share it by --state redis://…, leave that out,' : 'Leave that out,'
  throw new UsageInvalid(
    `--workers serves what needs nothing in common, and this does:\n${reasons.map((each) => `- ${each}`).join('\n')}\n${help} or leave out --workers`,
  )
}

function chanceIn({ rateLimit = 0, errorRate = 0, jitterMs = 0 }: GatewayDefaults, where: string): string[] {
  return [
    ...given(rateLimit > 0, `the rate limit${where} counts requests`),
    ...given(errorRate > 0, `the error rate${where} counts requests`),
    ...given(jitterMs > 0, `the jitter${where} counts requests`),
  ]
}

function modesOf({ modes = {} }: GatewayOptions): readonly string[] {
  const names = [modes.mode ?? 'simulate', ...(modes.rules ?? []).map(({ mode }) => mode)]
  return [...new Set(names)]
}

function given(holds: boolean, reason: string): readonly string[] {
  return holds ? [reason] : []
}
