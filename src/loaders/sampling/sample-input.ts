import type { Input } from '../../engine/input.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { flatten } from '../../engine/schema/merge.ts'
import { createResolver, isObject, propertiesOf } from '../../engine/schema/schema.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'

/** Makes inputs that a route's model accepts: another one for each attempt; `undefined` when none was found. */
export type SampleInput = (attempt: number) => Input | undefined

const FEW_ITEMS = 3
const MOST_TRIES = 20

/**
 * The maker of a route's sample inputs. What a GET may leave out is left out, so that the sample shows its defaults.
 * @throws ModelInvalid or ModelNotGenerable when the input model is no good
 */
export function createSampleInput(route: RouteDefinition, seed: Seed): SampleInput {
  const { input: model } = route.options
  if (model === undefined) return () => ({})
  const generate = compileGenerator(model)
  const checker = createChecker(model, { defaults: true })
  const stream = contentStream(seed, `sample ${route.key}`)
  const shape = shapeOf(route)

  return (attempt) => {
    for (let tried = 0; tried < MOST_TRIES; tried++) {
      const draws = stream.child(attempt).child(tried)
      const full = generate(draws, { route: route.key, input: {}, headers: {}, depth: 0 })
      if (!isObject(full)) break
      const found = shape(full).find((candidate) => checker.fits(structuredClone(candidate)))
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The forms in which a generated input may be sent, the best first. */
function shapeOf(route: RouteDefinition): (full: Input) => readonly Input[] {
  const { input: model = {}, listCount, pageTable } = route.options
  const flat = flatten(model, createResolver(model))
  const required = new Set(Array.isArray(flat['required']) ? (flat['required'] as unknown[]) : [])
  const withDefault = propertiesOf(flat).filter(
    ([, part]) => isObject(part) && Object.hasOwn(part, 'default'),
  )
  const defaults = new Set(withDefault.map(([name]) => name))

  const isWanted = (name: string): boolean =>
    route.parameters.includes(name) || (required.has(name) && !defaults.has(name))
  const overrides: Input = {
    ...(typeof listCount === 'string' && { [listCount]: FEW_ITEMS }),
    ...(pageTable !== undefined && { [pageTable.tokenField]: '' }),
  }
  const overridden = (input: Input): Input =>
    Object.fromEntries(Object.entries(input).map(([name, value]) => [name, overrides[name] ?? value]))

  return (full) => {
    const few = Object.fromEntries(Object.entries(full).filter(([name]) => isWanted(name)))
    const forms = route.method === 'GET' ? [few, full] : [full]
    return forms.flatMap((form) => [overridden(form), form])
  }
}
