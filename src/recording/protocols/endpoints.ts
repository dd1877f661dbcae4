import type { CallOutcome } from '../../engine/call-model.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import type { Call, CallForm } from '../calls/call.ts'

/** The path of a call below the root of its protocol, without the slash before it; `undefined` for one that is not below it. */
export function endpointBelow({ args }: Call, root: string): string | undefined {
  const path = String(args['path'])
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined
}

/** The segments of a path, decoded. */
export function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment)
}

/** Requests that are calls by their methods, whatever their paths, and whose answers are results with headers of their own. */
export const requestsAsCalls: Pick<CallForm, 'read' | 'outcomes' | 'write'> = {
  read({ method = 'GET', path, query, headers, body }) {
    return path === undefined ? undefined : [{ name: method, args: { method, path, query, headers, body } }]
  },
  outcomes({ status, body, headers = {} }) {
    return [{ ...(status < 400 ? { value: body } : { error: body }), status, headers }]
  },
  write([{ error, value, status = 200, headers = {} } = {}]) {
    return { status, headers, body: error ?? value }
  },
}

/** The parameters of a request, from its query and its form. */
export function paramsIn({ args: { query, body } }: Call): Readonly<Record<string, unknown>> {
  return { ...(isObject(query) ? query : {}), ...(isObject(body) ? body : {}) }
}

/** What Go's HTTP server answers where it has nothing. */
export const NO_PAGE: CallOutcome = {
  ...{ status: 404, error: '404 page not found\n' },
  headers: { 'content-type': 'text/plain; charset=utf-8' },
}
