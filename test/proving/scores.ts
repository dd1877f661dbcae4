import { isSameRequest, namesIn, pairUp, requestForm, unlikeness } from './likeness.ts'
import type { Relayed } from './relay.ts'
import type { Played, System } from './system.ts'

/** How a replay is like what was recorded. */
export interface Fidelity {
  readonly hits: number
  readonly same: number
  readonly missed: readonly string[]
  readonly differing: readonly string[]
}

/** @param pairs recorded exchanges, and those of the replay */
export function fidelityOf(
  pairs: readonly (readonly [Relayed, Relayed | undefined])[],
  isSame: (recorded: Relayed, given: Relayed) => boolean,
): Fidelity {
  const missed: string[] = []
  const differing: string[] = []
  for (const [one, other] of pairs) {
    const text = `${one.step}: ${one.method} ${one.url}`
    if (other === undefined) missed.push(`${text} was not sent`)
    else if (other.status === 404 && other.body.includes('SIM_NOT_RECORDED'))
      missed.push(`${text}: ${other.method} ${other.url} is not in the recording`)
    else if (other.status !== one.status) differing.push(`${text}: ${other.status} in place of ${one.status}`)
    else if (!isSame(one, other)) differing.push(`${text}: ${firstDifference(one.body, other.body)}`)
  }
  const hits = pairs.length - missed.length
  return { hits, same: hits - differing.length, missed, differing }
}

/**
 * How a client's replay is like what was recorded of it. It may have other names from the server than it had, such as
 * ids, but the same throughout; and the answer that another client got to the very same request.
 */
export function fidelityOfClient(
  recorded: readonly Relayed[],
  given: readonly Relayed[],
  others: readonly Relayed[],
  isSame: (recorded: Relayed, given: Relayed) => boolean,
): Fidelity {
  let names: ReadonlyMap<string, string> = new Map()
  const left = new Set(given)
  const pairs = recorded.map((one) => {
    const form = requestForm(one)
    const alike = [...left].filter((each) => requestForm(each) === form)
    const same = [one, ...others.filter((each) => isSameRequest(each, one))]
    const found = alike.find((each) => {
      if (each.status !== one.status) return false
      const more = namesIn(one.body.toString('latin1'), each.body.toString('latin1'), names)
      names = more ?? names
      return more !== undefined || same.some((other) => isSame(other, each))
    })
    const other = found ?? alike[0]
    if (other !== undefined) left.delete(other)
    return { pair: [one, other] as const, isSame: found !== undefined }
  })
  const good = new Set(pairs.flatMap(({ pair: [one], isSame }) => (isSame ? [one] : [])))
  return fidelityOf(
    pairs.map(({ pair }) => pair),
    (one) => good.has(one),
  )
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
