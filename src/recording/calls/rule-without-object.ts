import type { CallRule } from '../../engine/call-model.ts'
import { changedLists } from './changed-lists.ts'
import { canonicalText } from '../../engine/random.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { countEach } from '../../grouping.ts'
import { argumentsOf, CHANGING, CREATING, isReading, REMOVING } from './call.ts'
import { conflictIn } from './conflicts.ts'
import { isShownAfter, missingOf } from './failures.ts'
import { membersIn as shownIn } from './id-members.ts'
import { heldOf, stateRefusals, unexplained } from './state-refusals.ts'
import { echoesOf, laterEffectsOf, placedOf, type Shown } from './made-members.ts'
import type { Known } from './object-types.ts'
import type { CallSample, ObjectSeen } from './call-sample.ts'
import { scalarMember, secondOf, stepsOf } from './stepped-members.ts'
import { nameKey } from './show.ts'

/** What calls do that say only that they did it, how many objects it was, or the id of what they made. */
export function ruleWithoutObject(
  own: readonly CallSample[],
  fine: readonly CallSample[],
  known: Known,
): CallRule | undefined {
  const { firsts } = known
  const [{ call, outcome }] = fine as [CallSample]
  const { value } = usualOf(fine)
  const framed = outcome.frame === undefined ? {} : { frame: outcome.frame }
  const scalar = scalarRule(own, fine, known)
  if (scalar !== undefined) return { ...scalar, ...framed }
  if (!(call.isChange ?? !isReading(call.name))) return undefined
  const idOf = idsByType(firsts)
  const args = argumentsOf(call)
  const isGiven = (type: string): number => Number(args.has(idOf.get(type) ?? ''))
  const order = [...new Set([...firsts.keys()].map((key) => key.slice(0, key.indexOf(' '))))]
  const types = order.toSorted(
    (a, b) => namedIn(b, call.name) - namedIn(a, call.name) || isGiven(b) - isGiven(a),
  )
  const isMaking = CREATING.test(call.name) && !REMOVING.test(call.name) && !CHANGING.test(call.name)
  for (const type of types) {
    const isKnown = (id: unknown): boolean => firsts.has(`${type} ${String(id)}`)
    if (CREATING.test(call.name) && fine.every((each) => isKnown(each.value))) {
      const items = fine.flatMap((each): Shown[] => {
        const first = firsts.get(`${type} ${String(each.value)}`)
        const seen = first?.objects.find(({ item, id }) => String(item[id]) === String(each.value))
        return seen === undefined ? [] : [{ call: each.call, seen }]
      })
      return {
        ...{ does: 'create', type, result: value, at: '', isId: true, ...framed },
        ...copiesWith({}, placedOf(items)),
      }
    }
    // Clients make up texts as ids; a small number is met by chance.
    const isId = (value: unknown): boolean => isKnown(value) && !(isMaking && /^\d{1,6}$/.test(String(value)))
    const share = (argument: string): number =>
      fine.filter((each) => isId(argumentsOf(each.call).get(argument))).length / fine.length
    // Some of what is put or removed is never shown.
    const least = isMaking || REMOVING.test(call.name) ? 0.5 : 1
    const id = [...argumentsOf(call).keys()].find((argument) => share(argument) >= least)
    if (id === undefined) continue
    const isThere = (each: CallSample): boolean => isShownAfter(each, { id, type }, known)
    const { conflict, others } = isMaking ? conflictIn(own) : { others: own }
    // What must not be there yet need not be there.
    const isOfType = ({ place }: ObjectSeen): boolean => known.types.get(place) === type
    const found = stepsOf(fine, id, known.calls, isOfType)
    const refusals = isMaking ? { rule: {}, explained: [] } : stateRefusals(found)
    // What says nothing where it did something fails otherwise.
    const saysNothing = fine.some((each) => each.value === null)
    const left = unexplained(others, own, refusals.explained).filter(
      (each) => !saysNothing || each.outcome.error !== undefined,
    )
    const missing = conflict?.member === id ? undefined : missingOf(left, id, undefined, isThere)
    const repeated = echoesOf(fine, undefined)
    // Without a selection, a member of a result is like an argument by chance, but for what is within a text.
    const echoes =
      call.selects !== undefined
        ? repeated
        : Object.fromEntries(
            Object.entries(repeated).filter(
              ([at, from]) => at === '' || from.includes('{') || at.split('/').at(-1) === from,
            ),
          )
    const rule = {
      ...{ type, result: value, id, ...framed },
      ...(Object.keys(echoes).length > 0 && { echoes }),
      ...(missing !== undefined && { missing }),
      ...(conflict !== undefined && { conflict }),
      ...refusals.rule,
    }
    const counted = isObject(value)
      ? Object.keys(value).find(
          (name) =>
            /^\d{1,15}$/.test(String(value[name])) &&
            !OF_ANSWER.test(name) &&
            fine.some((each) => isObject(each.value) && Number(each.value[name]) > 0) &&
            !Object.hasOwn(echoes, `/${name}`),
        )
      : undefined
    if (REMOVING.test(call.name) && !isContainer(type, call.name)) {
      const held = heldOf(own, id, type, known)
      return {
        does: 'remove',
        ...rule,
        ...(held !== undefined && { held }),
        ...(counted !== undefined && { touched: `/${counted}` }),
      }
    }
    // What was there before has no new name, such as those whom something is sent to.
    const isNew = (each: CallSample, wanted: unknown): boolean => {
      const first = firsts.get(`${type} ${String(wanted)}`)
      return first !== undefined && known.calls.indexOf(first) >= known.calls.indexOf(each)
    }
    const renames = [...args.keys()].find(
      (name) =>
        RENAMING.test(name) &&
        name !== id &&
        fine.every((each) => isNew(each, argumentsOf(each.call).get(name))),
    )
    if (renames !== undefined && RENAMED.test(id)) return { does: 'change', ...rule, renames }
    const isPut = isMaking && missing === undefined && !isContainer(type, call.name)
    // What says nothing of what it made made all of that.
    const isWhole = isPut && fine.every((each) => each.count === undefined && shownIn(each.value) === 0)
    const sets = isPut ? {} : laterEffectsOf(fine, id, known.calls, isOfType)
    const { member, ...steps } = isPut ? {} : found.rule
    if (member !== undefined) return { does: 'read', ...rule, at: '', member }
    const lists = isPut ? {} : changedLists(found, isOfType)
    // A number that nothing explains has nothing to do with an object that a small number names by chance.
    const isExplained = Object.keys({ ...steps, ...lists, ...echoes }).length > 0
    if (!isPut && !isExplained && typeof value === 'number' && typeof args.get(id) === 'number') continue
    return {
      ...{ does: isPut ? 'put' : 'change', ...rule, ...steps },
      ...lists,
      ...(lists.member !== undefined && { at: '' }),
      ...(!isPut && secondOf(fine, id, known.calls, isOfType, isId)),
      ...(isWhole && { isWhole }),
      ...(Object.keys(sets).length > 0 && { sets }),
    }
  }
  return undefined
}

// A member alone, whose name the call's ends with: `getBalance`, `account.balance`.
function scalarRule(
  own: readonly CallSample[],
  fine: readonly CallSample[],
  { firsts, calls, types }: Known,
): CallRule | undefined {
  const [{ call: example, value }] = fine as [CallSample]
  for (const type of new Set(types.values()))
    for (const id of argumentsOf(example).keys()) {
      const isKnown = ({ call }: CallSample): boolean =>
        firsts.has(`${type} ${String(argumentsOf(call).get(id))}`)
      if (!fine.every(isKnown)) continue
      const member = scalarMember(fine, id, calls, ({ place }) => types.get(place) === type)
      if (member === undefined) continue
      const missing = missingOf(own, id, undefined, isKnown)
      return {
        does: 'read',
        type,
        result: value,
        id,
        at: '',
        member,
        ...(missing !== undefined && { missing }),
      }
    }
  return undefined
}

/** Numbers that say how it went. */
const OF_ANSWER = /^(http)?[_-]?(status|code)/i

/** The call whose result says most, or else what most of them say. */
export function usualOf(fine: readonly CallSample[]): CallSample {
  const counts = countEach(fine.map(({ value }) => canonicalText(value)))
  const countOf = ({ value }: CallSample): number => counts.get(canonicalText(value)) ?? 0
  const [usual] = fine.toSorted(
    (a, b) => membersIn(b.value) - membersIn(a.value) || countOf(b) - countOf(a),
  ) as [CallSample]
  return usual
}

/** The member that has the ids of each type. */
function idsByType(firsts: Known['firsts']): ReadonlyMap<string, string> {
  return new Map(
    [...firsts].toReversed().map(([key, { objects }]) => {
      const at = key.indexOf(' ')
      const seen = objects.find(({ item, id }) => String(item[id]) === key.slice(at + 1))
      return [key.slice(0, at), seen?.id ?? '']
    }),
  )
}

/** Arguments with what something is called before, and after. */
const RENAMED = /(^|_)(from|source|src|old)/i
const RENAMING = /^(to|new|target|dest)/i

// How much of a call's name is the name of a type.
function namedIn(type: string, name: string): number {
  return nameKey(name.toLowerCase()).includes(nameKey(type.toLowerCase())) ? type.length : 0
}

// What something is removed from stays.
function isContainer(type: string, name: string): boolean {
  const [, container = ''] = CONTAINER.exec(name) ?? []
  const [whole, own] = [container, type].map((each) => nameKey(each.toLowerCase())) as [string, string]
  return whole !== '' && (whole.includes(own) || own.includes(whole))
}

/** What comes after a word of its own: `removeFromGroup`, `remove_from_group`. */
const CONTAINER = /(?:(?:From|In|To|For)_?(?=[A-Z])|(?:^|[^A-Za-z])(?:from|in|to|for)[^A-Za-z])(.+)$/

/** Arguments that members repeat, by name and by place. */
export function copiesWith(
  copies: CallRule['copies'],
  placed: NonNullable<CallRule['copies']>,
): Pick<CallRule, 'copies'> {
  const all = { ...placed, ...copies }
  return Object.keys(all).length === 0 ? {} : { copies: all }
}

/** How many members a value has. */
export function membersIn(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : 0
}
