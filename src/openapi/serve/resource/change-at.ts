import { isObject } from '../../../engine/schema/schema.ts'

/** Changes what lies at some names, in each element of a list where one of them is `*`; `undefined` takes it away. */
export function setAt(
  holder: unknown,
  [name = '', ...rest]: readonly string[],
  change: (now: unknown) => unknown,
): void {
  if (name === '*') {
    if (!Array.isArray(holder)) return
    const list = holder as unknown[]
    if (rest.length > 0) return list.forEach((each) => setAt(each, rest, change))
    const changed = list.map(change).filter((each) => each !== undefined)
    list.splice(0, list.length, ...changed)
    return
  }
  if (!isObject(holder)) return
  if (rest.length > 0) return setAt(holder[name], rest, change)
  const changed = change(Object.hasOwn(holder, name) ? holder[name] : undefined)
  if (changed === undefined) delete holder[name]
  else holder[name] = changed
}

/** What lies at some names, in each element of a list where one of them is `*`. */
export function valuesAt(holder: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [holder]
  if (name === '*')
    return Array.isArray(holder) ? holder.flatMap((each: unknown) => valuesAt(each, rest)) : []
  return isObject(holder) && Object.hasOwn(holder, name) ? valuesAt(holder[name], rest) : []
}
