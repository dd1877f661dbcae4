import { HANDLED, type HttpResponse } from '../../message.ts'
import { SimError } from '../../errors.ts'
import type { AfterStep, Plugin, Step, Steps } from '../../pipeline/route.ts'

/** What one policy did to a request. */
export interface Verdict {
  readonly name: string
  /** `answered` and `refused` end the way of a request; `changed` is said of its response. */
  readonly verdict: 'passed' | 'answered' | 'refused' | 'changed'
  readonly status?: number
  readonly detail?: string
}

/** Policies that report what each of them does. Those that have nothing to do for a route say nothing. */
export function watchPlugins(
  plugins: readonly Plugin[],
  report: (verdict: Verdict) => void,
): readonly Plugin[] {
  return plugins.map((plugin) => {
    const { name } = plugin
    const before =
      (step: Step): Step =>
      (exchange) => {
        const settle = (outcome: HttpResponse | undefined | void): HttpResponse | undefined | void => {
          if (outcome === undefined) report({ name, verdict: 'passed' })
          else if (outcome === HANDLED)
            report({ name, verdict: 'answered', detail: 'it broke the connection' })
          else report({ name, verdict: 'answered', status: outcome.status })
          return outcome
        }
        return following(
          () => step(exchange),
          settle,
          (error) => report(refusal(name, error)),
        )
      }
    const after =
      (step: AfterStep): AfterStep =>
      (exchange, response) =>
        following(
          () => step(exchange, response),
          (outcome) => {
            if (outcome !== response) report({ name, verdict: 'changed', status: outcome.status })
            return outcome
          },
          (error) => report(refusal(name, error)),
        )
    return {
      ...plugin,
      plan(route, session): Steps | undefined {
        const steps = plugin.plan(route, session)
        if (steps === undefined) return undefined
        const all: Steps = typeof steps === 'function' ? { before: steps } : steps
        return {
          ...(all.before && { before: before(all.before) }),
          ...(all.after && { after: after(all.after) }),
          ...(all.last && { last: after(all.last) }),
        }
      },
    }
  })
}

function following<Value>(
  run: () => Value | Promise<Value>,
  settle: (value: Value) => Value,
  fail: (error: unknown) => void,
): Value | Promise<Value> {
  try {
    const value = run()
    if (!(value instanceof Promise)) return settle(value)
    return value.then(settle, (error: unknown) => {
      fail(error)
      throw error
    })
  } catch (error) {
    fail(error)
    throw error
  }
}

function refusal(name: string, error: unknown): Verdict {
  if (!SimError.is(error)) return { name, verdict: 'refused', detail: String(error) }
  return { name, verdict: 'refused', status: error.statusCode, detail: `${error.code}: ${error.message}` }
}
