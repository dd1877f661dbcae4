import { createTextReader } from '../../engine/schema/coerce.ts'
import { createResolver } from '../../engine/schema/schema.ts'
import type { ResponseHeader, ResponseRule } from '../../engine/operation.ts'
import { createRouter } from '../../routing/router.ts'
import { hostOf, type RouteDefinition } from '../../engine/route.ts'
import { kindOf } from '../files/media.ts'
import {
  ANY_ANSWER,
  essenceOf,
  pathOf,
  type Baseline,
  type ExpectedAnswer,
  type ExpectedRoute,
} from './baseline.ts'
import { compareOutput } from './compare-output.ts'
import { createComparison, type CompareValue } from './compare-value.ts'
import { declaredInput } from './declared-input.ts'

/** What declared routes say of their exchanges. A route of another host is taken where there is none of the own. */
export function declaredBaseline(routes: readonly RouteDefinition[], isStateful: boolean): Baseline {
  const hosts = createRouter(routes, { hostOf })
  const anywhere = createRouter(routes)
  const expected = expectRoutes(isStateful)
  return (request) => {
    const { method, origin } = request
    const path = pathOf(request)
    const { host, protocol } = new URL(origin)
    const scheme = protocol === 'https:' ? 'https' : 'http'
    const route = (hosts.match({ method, path, host, scheme }) ?? anywhere.match({ method, path }))?.route
    return route && expected(route)
  }
}

/** What is expected of routes. Each is compiled when it is first asked for. */
export function expectRoutes(isStateful: boolean): (route: RouteDefinition) => ExpectedRoute {
  const known = new Map<RouteDefinition, ExpectedRoute>()
  return (route) => {
    const expected = known.get(route) ?? expect(route, isStateful)
    known.set(route, expected)
    return expected
  }
}

function expect(route: RouteDefinition, isStateful: boolean): ExpectedRoute {
  const { operation } = route
  const common = { name: route.key, input: declaredInput(route) }
  if (operation === undefined) return { ...common, ...byOptions(route, isStateful) }
  const answers = new Map<ResponseRule, ExpectedAnswer>()
  return {
    ...common,
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
  { method, options, parameters }: RouteDefinition,
  isStateful: boolean,
): Pick<ExpectedRoute, 'statuses' | 'answer'> {
  const { output, status, scenario = [], errors = [], errorCodes = [], input, headers = {} } = options
  const usual = status ?? (method === 'DELETE' && output === undefined ? 204 : 200)
  const statuses = [
    ...[usual, ...[...scenario, ...errors].map((each) => each.status), ...errorCodes],
    // What the simulation itself refuses.
    ...(input === undefined ? [] : [400, 422]),
    ...(isStateful && parameters.length > 0 ? [404] : []),
  ]
  const always = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const type = essenceOf(always.get('content-type') ?? 'application/json')
  const fine: ExpectedAnswer = {
    types: output === undefined ? [] : [type],
    headers: [...always.keys()].filter((name) => name !== 'content-type'),
    ...(output !== undefined && { compare: compareOutput(output) }),
  }
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
    values: new Map(headers.map((header) => [header.name.toLowerCase(), compareHeader(header)])),
    ...(json !== undefined && { compare: createComparison(json) }),
  }
}

function compareHeader({ model }: ResponseHeader): CompareValue {
  const read = createTextReader(model, createResolver(model))
  const compare = createComparison(model)
  return (text) => compare(read(String(text)))
}
