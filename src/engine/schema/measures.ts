import { createHeights, type Heights } from './height.ts'
import { manyDefinitionsOf, type Definitions } from './many-definitions.ts'
import { createFold, type Fold } from './merge.ts'
import { createResolver, type Resolve, type Schema } from './schema.ts'
import { createSizes, type Sizes } from './sizes.ts'

/** What is found out about the parts of a model. */
export interface Measures {
  readonly resolve: Resolve
  readonly fold: Fold
  readonly heights: Heights
  readonly sizes: Sizes
}

/** The measures of a model's parts; those of large models are taken once for all that share their definitions. */
export function measuresOf(root: Schema): Measures {
  const definitions = manyDefinitionsOf(root)
  if (definitions === undefined) return createMeasures(root)
  const known = shared.get(definitions) ?? createMeasures({ $defs: definitions })
  shared.set(definitions, known)
  return known
}

/** Whether no value fits a model, or only one without end. */
export function fitsNothing(root: Schema): boolean {
  return measuresOf(root).heights.of(root) === Infinity
}

const shared = new WeakMap<Definitions, Measures>()

function createMeasures(root: Schema): Measures {
  const resolve = createResolver(root)
  const fold = createFold(resolve)
  const heights = createHeights(resolve, fold)
  return { resolve, fold, heights, sizes: createSizes(fold, heights) }
}
