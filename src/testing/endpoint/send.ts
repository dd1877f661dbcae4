import type { Sender } from './endpoint.ts'
import type { SentRequest } from './request.ts'

/** Sends a request and reads its answer; the response's own body can still be read. */
export async function send(
  { method, url, headers, body }: SentRequest,
  sender: Sender,
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await sender.fetch(url, {
    method,
    headers: { ...headers },
    ...(body !== undefined && { body }),
  })
  return { response, text: await response.clone().text() }
}

/** What went wrong, as a message says it. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
