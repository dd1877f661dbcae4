import { jsonResponse, utf8Bytes, type Answer, type FlatHeaders, type HttpResponse } from '../message.ts'

const NONE: FlatHeaders = []

/**
 * A simulated answer as it is written.
 * @param added headers that are sent with it, and are true whatever the answer says
 */
export function toResponse(answer: Answer, added: FlatHeaders = NONE): HttpResponse {
  const { status, headers, json, content } = answer
  const flat: string[] = []
  for (const name in headers) {
    const key = name.toLowerCase()
    if (added.length === 0 || !added.includes(key)) flat.push(key, headers[name] as string)
  }
  // As bytes, so that the type is sent as the description writes it.
  if (content !== undefined) {
    const { type, data } = content
    return {
      status,
      headers: [...flat, 'content-type', type],
      body: typeof data === 'string' ? utf8Bytes(data) : data,
    }
  }
  const text = json ?? JSON.stringify(answer.body)
  return text === undefined ? { status, headers: flat } : jsonResponse(status, utf8Bytes(text), flat)
}
