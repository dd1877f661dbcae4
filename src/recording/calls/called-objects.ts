import type { CallRule } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { argumentsOf, type Call } from './call.ts'
import { isEmpty } from './envelope.ts'
import { idOf, type Item, type Objects } from './objects.ts'
import { names } from './state-refusals.ts'

type All = ReadonlyMap<string, Objects>

/** Whether objects name one of those that are to be removed. */
export function isHeld(
  { type, member }: NonNullable<CallRule['held']>,
  all: All,
  ids: readonly unknown[],
): boolean {
  const items = [...(all.get(type)?.items.values() ?? [])]
  return ids.some((id) => items.some((item) => names(item, member, id)))
}

/** The object that a call names, by its id or another member. */
export function itemCalled({ items }: Objects, { by }: CallRule, name: unknown): Item | undefined {
  if (by === undefined) return items.get(String(name))
  return [...items.values()].find((item) => idOf(item[by]) !== '' && idOf(item[by]) === String(name))
}

/** A rule for the one of several types that has the id. */
export function ofOneType(rule: CallRule, all: All, call: Call): CallRule {
  const id = rule.id === undefined ? undefined : argumentsOf(call).get(rule.id)
  const type = rule.orTypes?.find((each) => all.get(each)?.items.has(String(id)) === true)
  return type === undefined ? rule : { ...rule, type }
}

/** The ids of an argument, which may have several. */
export function idsIn({ args }: Call, path: string): readonly unknown[] {
  const parts = path.split('.')
  const names = /^\d+$/.test(parts.at(-1) ?? '') && parts.length > 1 ? parts.slice(0, -1) : parts
  const value = names.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), args)
  return [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number')
}

/** Whether what an object names is there, where it is not there without it. */
export function isThere(all: All, { type }: Objects, members: Item): boolean {
  return Object.entries(type.within ?? {}).every(
    ([name, other]) => isEmpty(members[name]) || all.get(other)?.items.has(String(members[name])) !== false,
  )
}
