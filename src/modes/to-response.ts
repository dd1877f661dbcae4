import { jsonResponse, utf8Bytes, type Answer, type FlatHeaders, type HttpResponse } from '../message.ts'

const NONE: FlatHeaders = []

/**
 * A simulated answer as it is written.
 * @param added headers that are sent with it, and are true whatever the answer says
 */
export function toResponse(answer: Answer, added: FlatHeaders = NONE): HttpResponse {
  const { status, headers, json, content } = answer
  const flat: string[] = []
  let hasType = false
  for (const name in headers) {
    const key = name.toLowerCase()
    if (key === 'content-type') hasType = true
    if (added.length === 0 || !added.includes(key)) flat.push(key, headers[name] as string)
  }
  // As bytes, so that the type is sent as the description writes it.
  if (content !== undefined) {
    const { type, data } = content
    return {
      status,
      headers: hasType ? flat : [...flat, 'content-type', type],
      body: typeof data === 'string' ? utf8Bytes(data) : data,
    }
  }
  const text = json ?? JSON.stringify(answer.body)
  if (text === undefined) return { status, headers: flat }
  const body = utf8Bytes(text)
  return hasType ? { status, headers: flat, body } : jsonResponse(status, body, flat)
}
