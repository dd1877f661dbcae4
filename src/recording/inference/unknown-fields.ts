import { remembered } from '../../engine/lazy.ts'
import { speaksOf, textOfAnswer } from './answer-text.ts'
import { isCalledInvalid } from './field-issues.ts'
import type { FieldIssue } from './refused-values.ts'
import { listIn } from './item-place.ts'
import type { Sample } from './sample.ts'

/**
 * The field by which a refused request would sort or choose, where the answer names it and no listed item has it, though
 * requests that do the same by other fields succeeded.
 */
export function unknownField(sample: Sample, samples: readonly Sample[]): FieldIssue | undefined {
  const { method, query, response } = sample
  if (method !== 'GET' || !isCalledInvalid(sample)) return undefined
  const { fields, parameters } = knownIn(samples)
  if (fields.size === 0) return undefined
  const text = textOfAnswer(response)
  const isUnknown = (word: string): boolean =>
    word.length > 1 && !fields.has(word) && !parameters.has(word) && speaksOf(text, word)
  for (const [name, value] of Object.entries(query)) {
    const [parameter = name] = wordsOf(name)
    const all = parameters.has(name) ? [value].flat().flatMap(wordsOf) : wordsOf(name)
    const mayBe = parameters.has(name) || (parameters.has(parameter) && all.length > 1)
    const found = mayBe ? all.find(isUnknown) : undefined
    if (found !== undefined) return { field: parameter, type: 'unknown_field', value: found }
  }
  return undefined
}

/** Whether a list was refused for a parameter that is not a field, where others are chosen from by fields. */
export function isOtherRefused(sample: Sample, samples: readonly Sample[]): boolean {
  const { method, query, response } = sample
  if (method !== 'GET' || !isCalledInvalid(sample)) return false
  const { fields, parameters } = knownIn(samples)
  const text = textOfAnswer(response)
  return (
    [...parameters].some((name) => fields.has(name)) &&
    Object.keys(query).some((name) => !parameters.has(name) && !fields.has(name) && speaksOf(text, name))
  )
}

interface Known {
  /** The fields of listed items. */
  readonly fields: ReadonlySet<string>
  /** The parameters of requests that were answered, and what their names begin with. */
  readonly parameters: ReadonlySet<string>
}

const knownIn = remembered<readonly Sample[], Known>((samples) => {
  const [fields, parameters] = [new Set<string>(), new Set<string>()]
  for (const { method, status, query, response } of samples) {
    if (method !== 'GET' || status >= 300) continue
    for (const item of listIn(response)?.items ?? []) for (const name of Object.keys(item)) fields.add(name)
    // Those that name a field by their value.
    for (const name of Object.keys(query))
      for (const each of [name, wordsOf(name)[0] ?? '']) parameters.add(each)
  }
  return { fields, parameters }
}, new WeakMap())

function wordsOf(text: string): readonly string[] {
  return text.split(/\W+/).filter((word) => word !== '')
}
