import { isObject, LINK, typesOf, type Schema } from './schema/schema.ts'
import { listShapeOf, partOf } from './list-shape.ts'

/** Marks the output models of pages. */
export const PAGE = 'x-sim-page'

/** The forms an output model gives an answer. */
export type OutputKind = 'none' | 'single' | 'list' | 'page' | 'slice' | 'paged'

/** The form of an output model. */
export function outputKind(output: Schema | undefined): OutputKind {
  if (output === undefined) return 'none'
  if (output[PAGE] === 'offset') return 'page'
  if (output[PAGE] === 'token') return 'slice'
  if (output[PAGE] === 'fields') return 'paged'
  // A link on the list itself gives all of it, and `contains` speaks of all of its items.
  const isWhole = output[LINK] !== undefined || output['contains'] !== undefined
  const isList = typesOf(output).includes('array') && !Array.isArray(output['prefixItems']) && !isWhole
  return isList ? 'list' : 'single'
}

/** The model of one item of a list or page; of a single answer, its model. References keep their meaning. */
export function itemModelOf(output: Schema): Schema {
  const kind = outputKind(output)
  if (kind === 'single' || kind === 'none') return output
  if (kind === 'paged') return listShapeOf(output, '')?.item ?? output
  const holder = kind === 'list' ? output : (output['properties'] as Record<string, Schema>)['items']
  const item = holder?.['items']
  return partOf(output, isObject(item) ? item : true)
}
