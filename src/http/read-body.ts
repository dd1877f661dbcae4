import type { IncomingMessage } from 'node:http'
import { parseJsonText } from '../engine/json-text.ts'
import { BodyTooLarge, InputInvalid } from '../errors.ts'

/** Bodies of declared routes may be this large. */
export const MOST_BODY_BYTES = 1024 * 1024

/**
 * Reads a request's body as JSON (RFC 8259); `undefined` when it has none.
 * @throws InputInvalid when it is not JSON, nests deeper than 200 levels, or holds a key such as `__proto__`
 * @throws BodyTooLarge when it is over 1 MiB
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (request.readableEnded) return (request as { body?: unknown }).body
  const text = (await readBytes(request)).toString('utf8')
  if (text === '') return undefined
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:.+\+)?json\b/i.test(type)) {
    const msg = `Expected a JSON body, not ${type}`
    throw new InputInvalid([{ type: 'json_type', loc: ['body'], msg, input: text.slice(0, 200) }])
  }
  return parseJsonText(text, ['body'])
}

/** All bytes of a stream. @throws BodyTooLarge when there are more than 1 MiB */
export async function readBytes(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > MOST_BODY_BYTES) throw new BodyTooLarge(MOST_BODY_BYTES)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
