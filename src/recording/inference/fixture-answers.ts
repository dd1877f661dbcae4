import { isObject } from '../../engine/schema/schema.ts'
import type { Schema } from '../../engine/schema/schema.ts'
import type { Folded } from './fold-paths.ts'
import { groupBy } from './group-by.ts'
import { isJson, type Sample } from './sample.ts'
import { areProven, findVariants, type Variants } from './variants.ts'

/** Answers that are given as they were recorded. */
export interface FixtureAnswers {
  readonly variants: Variants
  /** The field that says in each answer which value it belongs to; other values are then left to the model. */
  readonly field?: string
  /** The model of answers that are no JSON. */
  readonly model?: Schema
  readonly doubts: readonly string[]
}

const MAX_BYTES = 1024 * 1024
const MAX_TEXTS = 64

/** JSON answers that are a finite set; `undefined` where a model explains them better. */
export function findFixtures(answered: readonly Sample[], folded: Folded): FixtureAnswers | undefined {
  const samples = answered.filter(({ response }) => response !== undefined)
  if (samples.length === 0) return undefined
  const variants = findVariants(samples, folded, ({ response }) => response)
  if (variants === undefined || !areProven(variants)) return undefined
  const field = namingField(variants)
  return { variants, ...(field !== undefined && { field }), doubts: [] }
}

/** Answers that are no JSON, by the media type that most of them have; `undefined` where they are JSON or empty. */
export function findTexts(answered: readonly Sample[], folded: Folded): FixtureAnswers | undefined {
  const bodies = answered.filter(({ response, binary }) => response !== undefined || binary !== undefined)
  const byType = [...groupBy(bodies, ({ mimeType }) => mimeType)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const [type = '', samples = []] = byType[0] ?? []
  const [first] = samples
  if (first === undefined || isJson(first)) return undefined
  const isBinary = first.binary !== undefined
  const small = samples.filter((sample) => textOf(sample).length <= MAX_BYTES)
  const others = byType
    .slice(1)
    .map(([other]) => `also answered ${other || 'no type'}, which is not simulated`)
  const large = small.length < samples.length ? ['answers over 1 MiB are not simulated'] : []
  if (small.length === 0) return undefined
  const known = findVariants(small, folded, textOf)
  const isFew = known !== undefined && known.bodies.size <= MAX_TEXTS
  const variants = isFew ? known : firstOf(small)
  const varied = isFew ? [] : ['answers differ for no reason that was found; the first is given']
  return {
    variants,
    model: { type: 'string', contentMediaType: type, ...(isBinary && { contentEncoding: 'base64' }) },
    doubts: [...others, ...large, ...varied],
  }
}

function textOf({ response, binary }: Sample): string {
  return binary ?? (typeof response === 'string' ? response : JSON.stringify(response))
}

function firstOf(samples: readonly Sample[]): Variants {
  const [first] = samples
  const usual = first && textOf(first)
  return { by: undefined, bodies: new Map(), usual, exchanges: samples.length, repeated: 0 }
}

// An answer that repeats the value it is chosen by can be found by it.
function namingField({ by, bodies }: Variants): string | undefined {
  if (by === undefined) return undefined
  const all = [...bodies]
  const [, first] = all[0] ?? []
  const names = isObject(first) ? Object.keys(first) : []
  const found = names.filter((name) =>
    all.every(([value, body]) => isObject(body) && isNamed(body[name]) && String(body[name]) === value),
  )
  return found.find((name) => name === by.name) ?? found[0]
}

function isNamed(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
