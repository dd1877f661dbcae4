import { jsonResponse, utf8Bytes, type Answer, type HttpResponse } from '../message.ts'

/** A simulated answer as it is written. */
export function toResponse(answer: Answer): HttpResponse {
  const { status, headers, json, content } = answer
  const flat: string[] = []
  for (const name in headers) flat.push(name.toLowerCase(), headers[name] as string)
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
