import type { IncomingMessage } from 'node:http'

/** The body of a request up to a limit: where it is longer, a part that is longer too, and the rest is not read. */
export async function readUpTo(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  // The connection is kept for the answer.
  const stream = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) break
  }
  return Buffer.concat(chunks)
}
