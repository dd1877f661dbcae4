import { MemoryTransport, type MemoryRequest } from '../../src/http/memory-transport.ts'
import type { HttpResponse } from '../../src/message.ts'
import { errorResponse } from '../../src/pipeline/handle.ts'
import { Exchange } from '../../src/pipeline/exchange.ts'
import { compilePlan, runPlan } from '../../src/pipeline/plan.ts'
import type { Plugin, Policies, Route } from '../../src/pipeline/route.ts'
import { createRedactor } from '../../src/recording/redaction/redactor.ts'
import type { ChaosRule } from '../../src/engine/chaos-rule.ts'
import { compileRules } from '../../src/state/chaos.ts'
import { createSession, type Session } from '../../src/state/session.ts'
import { SILENT } from '../../src/http/log.ts'

/** A session that nothing happened in. */
export function testSession(rules: readonly ChaosRule[] = [], seed = 1): Session {
  return createSession({
    ...{ key: '', seed, store: undefined, journal: 10, chaos: compileRules(rules) },
    redactor: createRedactor(),
    listener: { nextId: () => 1 },
  })
}

const IN: HttpResponse = { status: 200, headers: ['content-type', 'text/plain'], body: 'in' }

/** A route that answers `in` wherever its policies let a request pass. */
export function testRoute(policies: Policies, others: Partial<Route> = {}): Route {
  return { id: 'GET /', source: 'declared', policies, handlerFor: () => () => IN, ...others }
}

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends requests to a route through some plugins, without a connection. */
export function testPlan(plugins: readonly Plugin[], route: Route, session: Session = testSession()) {
  const plan = compilePlan(route, session, plugins)
  return async (request: Partial<MemoryRequest> & { readonly ordinal?: number } = {}): Promise<Outcome> => {
    const transport = new MemoryTransport({ method: 'GET', url: '/', ...request })
    const exchange = new Exchange(transport)
    exchange.session = session
    exchange.key = route.countKey?.(exchange) ?? route.id ?? ''
    exchange.ordinal = request.ordinal ?? 0
    let response: HttpResponse
    try {
      response = await runPlan(plan, exchange)
    } catch (error) {
      response = errorResponse(error as Error, SILENT)
    }
    transport.send(response, exchange.responseHeaders)
    const { status, headers, body } = await transport.response
    const pairs = headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
    return { status, headers: Object.fromEntries(pairs), text: body.toString() }
  }
}
