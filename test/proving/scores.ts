import { isSameBody, isSameRequest, pairUp, unlikeness } from './likeness.ts'
import type { Relayed } from './relay.ts'
import type { Played, System } from './system.ts'

/** How a replay is like what was recorded. */
export interface Fidelity {
  readonly hits: number
  readonly same: number
  readonly missed: readonly string[]
  readonly differing: readonly string[]
}

/** @param others exchanges whose answers are as good for the same request */
export function fidelityOf(
  recorded: readonly Relayed[],
  given: readonly Relayed[],
  server: string,
  gateway: string,
  others: readonly Relayed[] = [],
): Fidelity {
  const missed: string[] = []
  const differing: string[] = []
  for (const [one, other] of pairUp(recorded, given)) {
    const text = `${one.step}: ${one.method} ${one.url}`
    if (other === undefined) missed.push(`${text} was not sent`)
    else if (other.status === 404 && other.body.includes('SIM_NOT_RECORDED'))
      missed.push(`${text}: ${other.method} ${other.url} is not in the recording`)
    else if (other.status !== one.status) differing.push(`${text}: ${other.status} in place of ${one.status}`)
    else if (
      ![one, ...others.filter((each) => isSameRequest(each, one))].some((each) =>
        isSameBody(each.body, other.body, server, gateway),
      )
    )
      differing.push(`${text}: ${firstDifference(one.body, other.body)}`)
  }
  const hits = recorded.length - missed.length
  return { hits, same: hits - differing.length, missed, differing }
}

function firstDifference(recorded: Buffer, given: Buffer): string {
  let at = 0
  while (at < recorded.length && recorded[at] === given[at]) at++
  const around = (bytes: Buffer): string =>
    JSON.stringify(bytes.subarray(Math.max(0, at - 20), at + 40).toString())
  return `at ${at} of ${recorded.length}: ${around(given)} in place of ${around(recorded)}`
}

/** How a session was answered. */
export interface Score {
  readonly right: number
  readonly all: number
  readonly figure: string
  readonly wrong: readonly string[]
  readonly checks: number
  readonly checksOfAll: number
  readonly checksFigure: string
  readonly failedChecks: readonly string[]
}

/** What a session was answered, against what the server answered it; checks count that held for the server. */
export function scoreOf(real: Played, given: Played, known: readonly Relayed[], { isMap }: System): Score {
  const wrong = pairUp(real.exchanges, given.exchanges).flatMap(([one, other]) => {
    const ofStep = known.filter(({ step }) => step === one.step)
    const why = unlikeness(one, other, ofStep, isMap)
    return why.length === 0
      ? []
      : [`${one.step}: ${one.method} ${one.url} (${one.status}): ${why.slice(0, 3).join('; ')}`]
  })
  const all = real.exchanges.length
  const held = real.checks.flatMap(({ ok }, at) => (ok ? [given.checks[at]] : []))
  const failed = held.filter((each) => each?.ok !== true)
  const [right, checks] = [all - wrong.length, held.length - failed.length]
  return {
    ...{ right, all, wrong, checks, checksOfAll: held.length },
    figure: `${right}/${all}`,
    checksFigure: `${checks}/${held.length}`,
    failedChecks: failed.map((each) => `${each?.name}: ${each?.failure}`),
  }
}
