import { isObject } from '../../engine/schema/schema.ts'
import { entryOf } from '../../grouping.ts'
import { readValue } from '../../shape/read-value.ts'
import type { Sample } from './sample.ts'
import { keysOf, segmentKind } from './values.ts'

/** Names of an answer's members down to this depth show its form. */
const MAX_DEPTH = 4
const MAX_NAMES = 200
/** The share of names that two answers of one class have in common. */
const MIN_ALIKE = 0.5

/** The form of an answer: the paths of its members, and of the lists and members in it that show nothing of theirs. */
interface Form {
  readonly paths: ReadonlySet<string>
  readonly empty: ReadonlySet<string>
}

/** Puts answers into classes of those that are alike in form. */
export interface AnswerClasses {
  of(sample: Sample): number
  /** Whether two classes share nothing but what all have. */
  areDisjoint(some: readonly number[], others: readonly number[]): boolean
}

/** Classes in the order in which their first answers come. */
export function classifyAnswers(samples: readonly Sample[]): AnswerClasses {
  const byKey = new Map<string, number>()
  const classes: Form[] = []
  const classOf = (sample: Sample): number => {
    const form = formOf(sample)
    const key = [...form.paths].toSorted().join(' ')
    return entryOf(byKey, key, () => {
      const found = classes.findIndex((each) => likeness(each, form) >= MIN_ALIKE)
      return found >= 0 ? found : classes.push(form) - 1
    })
  }
  // The fullest answers are the first of their classes, whatever comes in which order.
  const ordered = samples.toSorted((a, b) => formOf(b).paths.size - formOf(a).paths.size)
  const known = new Map(ordered.map((sample) => [sample, classOf(sample)]))
  return {
    of: (sample) => known.get(sample) ?? -1,
    areDisjoint: (some, others) =>
      some.every((one) =>
        others.every((other) => one !== other && shareNothing(classes[one], classes[other])),
      ),
  }
}

const FORMS = new WeakMap<Sample, Form>()

function formOf(sample: Sample): Form {
  return entryOf(FORMS as unknown as Map<Sample, Form>, sample, () => readForm(sample))
}

function readForm({ response, binary, mimeType }: Sample): Form {
  const paths = new Set<string>()
  const empty = new Set<string>()
  const walk = (value: unknown, path: string, depth: number): void => {
    if (paths.size >= MAX_NAMES) return
    if (path !== '') paths.add(path)
    if (value === null) empty.add(`${path}/`)
    if (Array.isArray(value) && value.length === 0) empty.add(`${path}/-`)
    if (depth >= MAX_DEPTH) return
    if (Array.isArray(value)) for (const item of value.slice(0, 3)) walk(item, `${path}/-`, depth)
    else if (isObject(value))
      for (const [name, part] of Object.entries(value))
        walk(part, `${path}/${segmentKind(name) === 'word' ? name : '*'}`, depth + 1)
  }
  const value = response === undefined ? undefined : (readValue(response, mimeType) ?? response)
  if (value !== undefined || binary !== undefined)
    paths.add(isObject(value) || Array.isArray(value) ? 'parts' : `${mimeType} ${keysOf(value)}`)
  walk(value, '', 0)
  return { paths, empty }
}

// What stands in a list of which the other shows no item says nothing.
function likeness(a: Form, b: Form): number {
  const [own, others] = [shown(a, b), shown(b, a)]
  const shared = own.filter((path) => b.paths.has(path)).length
  const all = own.length + others.length - shared
  return all === 0 ? 1 : shared / all
}

function shown({ paths }: Form, { empty }: Form): readonly string[] {
  return [...paths].filter((path) => ![...empty].some((each) => path.startsWith(each)))
}

function shareNothing(a: Form | undefined, b: Form | undefined): boolean {
  if (a === undefined || b === undefined) return false
  const own = [...a.paths].filter((path) => path !== 'parts')
  return own.length > 0 && b.paths.size > 0 && !own.some((path) => b.paths.has(path))
}
