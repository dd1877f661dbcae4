import { isObject } from '../../../engine/schema/schema.ts'
import { countEach } from '../../../grouping.ts'
import { decodeSegment } from '../../../routing/path-template.ts'
import { isJson, pathOf, type Sample } from '../../inference/sample.ts'
import { type Form, isChild, pathBelow, placeIn } from './places.ts'

/** So many answers must show what they are about by its path, of several segments. */
const MIN_RIGHT = 3
/** Most of what is answered below a root has to be items of its tree. */
const MIN_SHARE = 0.7
/** More would show little more. */
const MAX_ANSWERS = 500

/** What is answered to a path. */
interface PathAnswer {
  readonly path: string
  readonly answered: unknown
}

/**
 * The paths below which a recording shows a tree of items, each of which says its own path: what is read, and what is
 * listed within it.
 */
export function findRoots(samples: readonly Sample[]): readonly string[] {
  const form = findForm(
    samples
      .filter((each) => isJson(each) && each.status < 300)
      .map((each) => ({ path: pathOf(each), answered: each.response })),
  )
  return form === undefined ? [] : [form.root]
}

/** How the items of a tree say where they are; `undefined` where there is no tree. @param root where it is, if that is known */
export function findForm(all: readonly PathAnswer[], root?: string): Form | undefined {
  const answers = all.filter(({ answered }) => typeof answered === 'object').slice(0, MAX_ANSWERS)
  const forms = new Map<string, Form>()
  const votes = answers.flatMap(({ path, answered }) => {
    const keys: string[] = []
    for (const own of itemsAround(answered))
      for (const [member, value] of Object.entries(own)) {
        const form = typeof value === 'string' ? formOf(path, member, value) : undefined
        if (form === undefined || (root !== undefined && form.root !== root)) continue
        const key = JSON.stringify(form)
        forms.set(key, form)
        keys.push(key)
      }
    return [...new Set(keys)]
  })
  const ranked = [...countEach(votes)].toSorted((a, b) => b[1] - a[1])
  for (const [key, count] of ranked) {
    const form = forms.get(key)
    if (form !== undefined && count >= MIN_RIGHT && isTree(form, answers)) return form
  }
  return undefined
}

// Of a path's end only several segments say that they are not there by chance.
function formOf(path: string, member: string, value: string): Form | undefined {
  const lead = value.startsWith('/') ? '/' : ''
  const own = value.slice(lead.length)
  if (!/[^/]\/[^/]/.test(own)) return undefined
  const plain = path.split('/').map(decodeSegment).join('/')
  if (!plain.endsWith(`/${own}`)) return undefined
  const root = path.split('/').slice(0, -own.split('/').length).join('/')
  return root === '' ? undefined : { root, member, lead }
}

function isTree(form: Form, answers: readonly PathAnswer[]): boolean {
  let [right, all, lists] = [0, 0, 0]
  for (const { path, answered } of answers) {
    const rest = pathBelow(form.root, path)
    if (rest === undefined || rest === '') continue
    const listed = childrenIn(form, answered, rest)
    const shown = itemsAround(answered).filter((each) => placeIn(form, each) !== undefined)
    const isRight = listed || shown.some((each) => isAt(form, each, rest))
    // What is renamed is shown where it is then.
    if (!isRight && shown.length > 0) continue
    all++
    if (listed) lists++
    if (isRight) right++
  }
  return lists > 0 && right >= all * MIN_SHARE
}

function isAt(form: Form, value: unknown, rest: string): boolean {
  const place = placeIn(form, value)
  return place !== undefined && (place === rest || isChild(place, rest))
}

function childrenIn(form: Form, answered: unknown, rest: string): boolean {
  const lists = [answered, ...itemsAround(answered).flatMap((each) => Object.values(each))]
  return lists.some((list) => isListOf(form, list, rest))
}

/** Whether a value lists what is right below a path. */
export function isListOf(form: Form, list: unknown, rest: string): list is readonly unknown[] {
  return (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((each) => {
      const place = placeIn(form, each)
      return place !== undefined && isChild(place, rest)
    })
  )
}

// An item may be within an envelope.
function itemsAround(answered: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!isObject(answered)) return []
  return [answered, ...Object.values(answered).filter((value) => isObject(value))]
}
