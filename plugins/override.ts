import { bytesOf } from '../src/engine/known-answer.ts'
import { after, HANDLED, JSON_TYPE, type Awaitable, type HttpResponse } from '../src/message.ts'
import type { Exchange } from '../src/pipeline/exchange.ts'
import type { Plugin } from '../src/pipeline/route.ts'
import { createGlob } from '../src/routing/glob.ts'
import type { Override } from '../src/state/overrides.ts'

/** Answers in place of all that follows, where the session has an answer for the request. */
export const override: Plugin = {
  name: 'override',
  plan({ id }, { overrides, clock }) {
    const own = overrides.all
      .filter(({ route }) => route === undefined || route === id)
      .map((each) => ({
        ...each,
        isPath: each.path === undefined ? () => true : createGlob(each.path),
      }))
    if (own.length === 0) return undefined
    const answer = (exchange: Exchange, from: number): Awaitable<HttpResponse | undefined> => {
      const { method, path } = exchange
      const index = own.findIndex(
        (each, at) =>
          at >= from &&
          overrides.all.some((current) => current.id === each.id) &&
          (each.method === undefined || each.method.toUpperCase() === method) &&
          each.isPath(path),
      )
      const found = own[index]
      if (found === undefined) return undefined
      // Where others count as well, they may have used it up.
      return after(overrides.use(found.id), (isUsed) =>
        isUsed ? give(exchange, found) : answer(exchange, index + 1),
      )
    }
    const give = (exchange: Exchange, found: Override): Awaitable<HttpResponse> => {
      const { latencyMs = 0, status } = found
      exchange.source = 'engine'
      exchange.chaos = { rule: `override ${found.id}`, latencyMs, status, override: found.id }
      if (latencyMs === 0) return responseOf(found)
      return clock.sleep(latencyMs, exchange.signal).then(
        () => responseOf(found),
        (error: unknown) => {
          // Nobody is there to read a response.
          if (exchange.signal.aborted) return HANDLED
          throw error
        },
      )
    }
    return (exchange) => answer(exchange, 0)
  },
}

function responseOf({ status, headers = {}, ...written }: Override): HttpResponse {
  const named = Object.entries(headers)
  const hasType = named.some(([name]) => name.toLowerCase() === 'content-type')
  const bytes = bytesOf(written)
  const type = written.body === undefined ? 'text/plain; charset=utf-8' : JSON_TYPE
  return {
    status,
    headers: [...named.flat(), ...(hasType || bytes.length === 0 ? [] : ['content-type', type])],
    body: bytes.toString('latin1'),
  }
}
