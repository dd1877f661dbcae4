import type fc from 'fast-check'
import type { Model } from '../engine/schema/schema.ts'
import { schemaOfModel } from '../engine/schema/standard.ts'
import { compileStrategy } from './strategy/compile-strategy.ts'

/** How inputs are drawn. */
export interface StrategyOptions {
  /** How often a model may occur within itself. Default: 2. */
  readonly maxDepth?: number
}

/**
 * A fast-check arbitrary of valid inputs of a model, any JSON Schema; optional fields are sometimes absent.
 * @throws ModelNotGenerable when no input is valid; where only drawing can tell, when drawing
 */
export function strategyForInputModel<Input = Record<string, unknown>>(
  model: Model,
  options: StrategyOptions = {},
): fc.Arbitrary<Input> {
  return compileStrategy(schemaOfModel(model, 'input'), options) as fc.Arbitrary<Input>
}
