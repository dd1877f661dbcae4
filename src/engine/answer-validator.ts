import { ResponseInvalid } from '../errors.ts'
import { createChecker, type Violation } from './schema/checker.ts'
import { modelName, type Schema } from './schema/schema.ts'
import { itemModelOf, outputKind } from './output.ts'
import type { RouteDefinition } from './route.ts'

/**
 * Checks a body, which is `undefined` where there is none.
 * @param cut what it does not have in full
 * @throws ResponseInvalid when it does not fit
 */
export type ValidateAnswer = (body: unknown, cut?: string) => void

/** Checks the answers of a route against a model; `undefined` where there is nothing to check. */
export function createValidator(
  route: RouteDefinition,
  output: Schema | undefined,
): ValidateAnswer | undefined {
  if (output === undefined) return undefined
  const find = violationsOf(output)
  return (body, cut) => {
    if (body === undefined && route.method === 'DELETE') return
    const violations = find(body)
    if (violations.length === 0) return
    const problems = violations.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
    throw new ResponseInvalid(
      `${route.key}: the answer does not fit ${modelName(output)}: ${[...problems.slice(0, 5), ...(cut === undefined ? [] : [cut])].join('; ')}`,
    )
  }
}

// An item is checked by its own model, whose references mean what they meant before it was put into a list.
function violationsOf(output: Schema): (body: unknown) => readonly Violation[] {
  const kind = outputKind(output)
  if (kind === 'single' || kind === 'paged') {
    const single = createChecker(output)
    return (body) => single.check(body)
  }
  const properties = { ...(output['properties'] as object | undefined), items: { type: 'array' } }
  const envelope = createChecker(kind === 'list' ? { ...output, items: true } : { ...output, properties })
  const item = createChecker(itemModelOf(output))
  return (body) => {
    const items: unknown = kind === 'list' ? body : (body as { items?: unknown } | undefined)?.items
    const within = kind === 'list' ? [] : ['items']
    const inItems = (Array.isArray(items) ? items : []).flatMap((each, index) =>
      item.check(each).map((violation) => ({ ...violation, path: [...within, index, ...violation.path] })),
    )
    return [...envelope.check(body), ...inItems]
  }
}
