import { createHash } from 'node:crypto'
import type { Exchange } from './exchange.ts'

/** Tells exchanges that say nothing new. */
export interface Repeats {
  /** Whether an exchange says the same as the one before it of the same request; notes it. */
  isRepeated(exchange: Exchange): boolean
}

/** Most requests whose last answer is known; those that were not asked for longest are forgotten. */
const MAX_REQUESTS = 100_000

/** Knows no exchange yet. */
export function createRepeats(): Repeats {
  const latest = new Map<string, string>()
  return {
    isRepeated(exchange) {
      const [request, answer] = [digest(requestOf(exchange)), digest(answerOf(exchange))]
      const isRepeated = latest.get(request) === answer
      latest.delete(request)
      latest.set(request, answer)
      if (latest.size > MAX_REQUESTS) latest.delete(latest.keys().next().value ?? '')
      return isRepeated
    },
  }
}

function requestOf({ request: { method, url, postData } }: Exchange): unknown {
  return [method, url, postData?.text ?? postData?._sha256]
}

function answerOf({ response: { status, content }, _webSocketMessages: messages }: Exchange): unknown {
  const said = messages?.map(({ type, data }) => [type, data])
  return [status, content.mimeType, content.text ?? content._sha256, said]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}
