import { ModelNotGenerable } from '../../errors.ts'
import { KEEP } from '../links/link.ts'
import { createChecker, type Checker } from './checker.ts'
import type { Compiler } from './compiler.ts'
import { withWriter, writerOf, type Generate } from './generate.ts'
import { createHeights } from './height.ts'
import { compileKind } from './kind.ts'
import { compileLinks, linksOf } from './linked.ts'
import { createFold } from './merge.ts'
import { nothing } from './nothing.ts'
import { createParts } from './parts.ts'
import { positionWithin, type Position } from './position.ts'
import { createResolver, modelName, type Schema, type SchemaOrBoolean } from './schema.ts'
import { meetByTrying } from './tested.ts'

/**
 * The generator of a model, compiled once; parts behind references compile when they are first reached.
 * Values fit the model, but for combinations such as `not` with another `not` that no attempt came to meet.
 * @throws ModelNotGenerable when no value of the model can be finite
 */
export function compileGenerator(root: Schema, checker: Checker = createChecker(root)): Generate {
  const resolve = createResolver(root)
  const fold = createFold(resolve)
  const heights = createHeights(resolve, fold)
  const model = modelName(root)
  if (heights.of(root) === Infinity)
    throw new ModelNotGenerable(`${model} requires itself without end, or what nothing fits`)

  const compile = (schema: SchemaOrBoolean, at: Position): Generate => {
    const generate = compileUnlinked(schema, at)
    const link = compileLink(schema, at)
    if (link === undefined) return generate
    const write = writerOf(generate)
    return withWriter(
      (stream, scope, siblings) => {
        const value = link(stream, scope, siblings)
        return value === KEEP ? generate(stream, scope) : value
      },
      (sink, stream, scope) => {
        const value = link(stream, scope)
        if (value === KEEP) write(sink, stream, scope)
        else sink.value(value)
      },
    )
  }
  const compileLink = (schema: SchemaOrBoolean, at: Position): Generate | undefined => {
    const links = linksOf(schema, resolve)
    return links.length === 0 ? undefined : compileLinks(links, schema as Schema, at, compiler)
  }
  const compileUnlinked = (schema: SchemaOrBoolean, at: Position): Generate => {
    const folded = fold(schema)
    if (folded === false) return nothing(at)
    if (folded === true) return compileFold({}, at)
    const within = positionWithin(schema as Schema, folded, at)
    return folded === schema && schema !== root ? compileFold(folded, within) : compilePart(folded, within)
  }
  const compileFold = (folded: Schema, at: Position): Generate =>
    meetByTrying(folded, compileKind(folded, at, compiler), at, compiler)
  const compilePart = createParts(compileFold)

  const compiler: Compiler = { compile, compileUnlinked, compileLink, resolve, fold, checker, heights }
  return compile(root, { model, field: '' })
}
