import type { IncomingMessage } from 'node:http'
import { parse } from 'secure-json-parse'
import { BodyTooLarge, InputInvalid } from '../sim-error.ts'

/** Bodies of declared routes may be this large. */
export const MOST_BODY_BYTES = 1024 * 1024
const MOST_NESTING = 200

/**
 * Reads a request's body as JSON (RFC 8259); `undefined` when it has none.
 * @throws InputInvalid when it is not JSON, nests deeper than 200 levels, or holds a key such as `__proto__`
 * @throws BodyTooLarge when it is over 1 MiB
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (request.readableEnded) return (request as { body?: unknown }).body
  const text = await readText(request)
  if (text === '') return undefined
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:.+\+)?json\b/i.test(type)) {
    throw invalid('json_type', `Expected a JSON body, not ${type}`, text)
  }
  if (nesting(text) > MOST_NESTING)
    throw invalid('json_invalid', `Nested deeper than ${MOST_NESTING} levels`, text)
  try {
    return parse(text, null, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    throw invalid('json_invalid', (error as Error).message, text)
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BODY_BYTES) throw new BodyTooLarge(MOST_BODY_BYTES)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

// Brackets inside texts count too: a bound that is a little too strict costs less than parsing to find out.
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth--
  }
  return deepest
}

function invalid(type: string, msg: string, text: string): InputInvalid {
  return new InputInvalid([{ type, loc: ['body'], msg, input: text.slice(0, 200) }])
}
