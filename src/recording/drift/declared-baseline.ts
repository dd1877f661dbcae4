import type { ResponseRule } from '../../engine/operation/operation.ts'
import { createRouteTable } from '../../engine/route-table.ts'
import type { Route } from '../../engine/route.ts'
import { kindOf } from '../media.ts'
import {
  ANY_ANSWER,
  essenceOf,
  pathOf,
  type Baseline,
  type ExpectedAnswer,
  type ExpectedRoute,
} from './baseline.ts'
import { createComparison } from './compare-value.ts'

/** What declared routes say of their answers. */
export function declaredBaseline(routes: readonly Route[], isStateful: boolean): Baseline {
  const table = createRouteTable(routes)
  const known = new Map<Route, ExpectedRoute>()
  return (request) => {
    const route = table.match(request.method, pathOf(request))?.route
    if (route === undefined) return undefined
    const expected = known.get(route) ?? expect(route, isStateful)
    known.set(route, expected)
    return expected
  }
}

function expect(route: Route, isStateful: boolean): ExpectedRoute {
  const { operation, method, path } = route
  const name = `${method} ${path}`
  if (operation === undefined) return { name, ...byOptions(route, isStateful) }
  const answers = new Map<ResponseRule, ExpectedAnswer>()
  return {
    name,
    statuses: operation.responses.map(({ status }) => status),
    answer(status) {
      const rule = ruleOf(operation.responses, status)
      if (rule === undefined) return undefined
      const answer = answers.get(rule) ?? byRule(rule)
      answers.set(rule, answer)
      return answer
    },
  }
}

function byOptions(
  { method, options, parameters }: Route,
  isStateful: boolean,
): Pick<ExpectedRoute, 'statuses' | 'answer'> {
  const { output, status, scenario = [], errors = [], input } = options
  const usual = status ?? (method === 'DELETE' && output === undefined ? 204 : 200)
  const statuses = [
    ...[usual, ...scenario.map((step) => step.status), ...errors.map((each) => each.status)],
    // What the simulation itself refuses.
    ...(input === undefined ? [] : [400, 422]),
    ...(isStateful && parameters.length > 0 ? [404] : []),
  ]
  const fine: ExpectedAnswer =
    output === undefined
      ? ANY_ANSWER
      : { types: ['application/json'], headers: [], compare: createComparison(output) }
  return {
    statuses: [...new Set(statuses)],
    answer: (code) => (code === usual ? fine : statuses.includes(code) ? ANY_ANSWER : undefined),
  }
}

function ruleOf(rules: readonly ResponseRule[], status: number): ResponseRule | undefined {
  const wanted = [status, `${Math.floor(status / 100)}XX`, 'default']
  return wanted.flatMap((each) => rules.find((rule) => rule.status === each) ?? [])[0]
}

function byRule({ content, headers }: ResponseRule): ExpectedAnswer {
  const json = [...content].find(([type]) => kindOf(type) === 'json')?.[1].model
  return {
    types: [...content.keys()].map(essenceOf),
    headers: headers.filter(({ required }) => required).map(({ name }) => name.toLowerCase()),
    ...(json !== undefined && { compare: createComparison(json) }),
  }
}
