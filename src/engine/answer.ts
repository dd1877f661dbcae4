import { ResponseInvalid } from '../sim-error.ts'
import type { Answer, Call } from './call.ts'
import { createOutput, type Output } from './generate-output.ts'
import type { Input } from './input.ts'
import { createChecker, type Violation } from './model/checker.ts'
import { modelName, type Schema } from './model/schema.ts'
import { itemModelOf, outputKind } from './output.ts'
import type { Seed } from './random.ts'
import type { Match } from './route-table.ts'
import type { Route } from './route.ts'
import { createStateful, type Stateful } from './stateful.ts'
import type { Store } from './store/store.ts'

/** What the answers of all routes of an engine have in common. */
export interface AnswerOptions {
  readonly seed: Seed
  /** Whether the seed was drawn, so that `seedFrom` may stand in for it. */
  readonly seedDrawn: boolean
  readonly validateResponses: boolean
  /** Where items are stored; absent for an app that is not stateful. */
  readonly store?: Store | undefined
  readonly maxItems: number
  readonly verboseErrors: boolean
}

/** Answers the calls of one route whose input was read. */
export type Answerer = (call: Call, match: Match, input: Input) => Answer

/** A route's way from input to answer: store, page table or generation, then validation, and only then storing. */
export function createAnswerer(route: Route, routes: readonly Route[], options: AnswerOptions): Answerer {
  const output = createOutput(route, options)
  const validate = options.validateResponses ? createValidator(route) : undefined
  const stateful = statefulOf(route, routes, output, options)
  const { status, headers = {} } = route.options
  const answerWith = (body: unknown): Answer =>
    body === undefined
      ? { status: status ?? (route.method === 'DELETE' ? 204 : 200), headers }
      : { status: status ?? 200, headers, body }

  return (call, match, input) => {
    if (stateful === undefined || route.options.pageTable !== undefined) {
      const body = output.generate(call, input)
      validate?.(body)
      return answerWith(body)
    }
    const { body, store } = stateful(call, match, input)
    validate?.(body)
    store?.()
    return answerWith(body)
  }
}

function statefulOf(
  route: Route,
  routes: readonly Route[],
  output: Output,
  { store, maxItems, verboseErrors, seed }: AnswerOptions,
): Stateful | undefined {
  return store === undefined
    ? undefined
    : createStateful(route, routes, output, { store, maxItems, verboseErrors, seed })
}

function createValidator(route: Route): ((body: unknown) => void) | undefined {
  const { output } = route.options
  if (output === undefined) return undefined
  const find = violationsOf(output)
  return (body) => {
    if (body === undefined && route.method === 'DELETE') return
    const violations = find(body)
    if (violations.length === 0) return
    const problems = violations.map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
    throw new ResponseInvalid(
      `${route.key}: the answer does not fit ${modelName(output)}: ${problems.slice(0, 5).join('; ')}`,
    )
  }
}

// An item is checked by its own model, whose references mean what they meant before it was put into a list.
function violationsOf(output: Schema): (body: unknown) => readonly Violation[] {
  const kind = outputKind(output)
  if (kind === 'single') {
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
