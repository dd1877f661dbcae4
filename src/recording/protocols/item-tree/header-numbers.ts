import type { Moment } from './play.ts'

/** A header that counts the changes of a tree, or the requests for such, done or refused. */
export interface HeaderNumber {
  readonly name: string
  readonly by: 'changes' | 'requests'
  /** How much more it is than what was counted since the first recorded request. */
  readonly plus: number
}

/** So many answers must have it. */
const MIN_ANSWERS = 3

/** The headers that count. */
export function headerNumbersIn(moments: readonly Moment[]): readonly HeaderNumber[] {
  let [changes, requests] = [0, 0]
  const values = new Map<
    string,
    { readonly value: number; readonly changes: number; readonly requests: number }[]
  >()
  for (const { step, done } of moments) {
    if (isForChange(step.method)) requests++
    if (done !== undefined) changes++
    for (const [name, text] of Object.entries(step.headers)) {
      if (!/^\d{1,15}$/.test(text) || name === 'content-length') continue
      const own = values.get(name) ?? []
      own.push({ value: Number(text), changes, requests })
      values.set(name, own)
    }
  }
  return [...values].flatMap(([name, all]): HeaderNumber[] => {
    const [first] = all
    if (first === undefined || all.length < MIN_ANSWERS || all.every(({ value }) => value === first.value))
      return []
    const by = (['changes', 'requests'] as const).find((each) =>
      all.every((one) => one.value - one[each] === first.value - first[each]),
    )
    return by === undefined ? [] : [{ name, by, plus: first.value - first[by] }]
  })
}

/** Whether a request is for a change, by its method. */
export function isForChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
