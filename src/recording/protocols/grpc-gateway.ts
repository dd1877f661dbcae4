import { isObject } from '../../engine/schema/schema.ts'
import type { CallForm } from '../calls/call.ts'
import type { Protocol } from './protocol.ts'

// Requests may have names in either case (ProtoJSON); there is one operation at each path.
const calls: CallForm = {
  isOfPaths: true,
  mayOmitEmpty: true,
  read({ path, body }) {
    if (path === undefined || (body !== undefined && !isObject(body))) return undefined
    return [{ name: path, args: withSnakeCase(body ?? {}) as Readonly<Record<string, unknown>> }]
  },
  outcomes({ body, status }) {
    if (status >= 400) return [{ error: body, status }]
    if (!isObject(body)) return undefined
    // Streams have each message as `{ result }`.
    const names = Object.keys(body)
    return names.length === 1 && isObject(body['result'])
      ? [{ value: body['result'], frame: STREAMED }]
      : [{ value: body }]
  },
  write([{ error, status, value, frame } = {}]) {
    if (error !== undefined) return { status: status ?? 500, body: error }
    if (frame === undefined) return { status: 200, body: value }
    return { status: 200, body: frame.text.replace('{result}', () => JSON.stringify(value)) }
  },
}

/** How each message of a stream is written. */
export const STREAMED = { text: '{"result":{result}}\n', names: {} }

function withSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCase)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, part]) => [
    /^[a-z]/.test(name) ? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name,
    withSnakeCase(part),
  ])
  return Object.fromEntries(entries)
}

/**
 * gRPC by JSON over HTTP: gRPC-gateway, Twirp and Connect. Every method has a path of its own, integers of 64 bits are
 * texts, bytes are base64, and what is zero or empty may be left out (ProtoJSON).
 */
export const grpcGateway: Protocol = {
  name: 'gRPC-gateway',
  speaks: ({ method, segments, headers, responseHeaders }) =>
    method === 'POST' &&
    (Object.keys(responseHeaders).some((name) => name.startsWith('grpc-metadata-')) ||
      'connect-protocol-version' in headers ||
      segments[0] === 'twirp'),
  operations: () => () => undefined,
  calls,
}
