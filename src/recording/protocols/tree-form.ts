import { contentKindOf } from '../../media-type.ts'
import type { CallForm } from '../calls/call.ts'
import type { Protocol } from './protocol.ts'

/** How calls are read and written whose paths are those of a tree: as requests with methods, and what they are answered with. */
export const TREE_FORM: Pick<CallForm, 'isOfPaths' | 'outcomes' | 'write'> = {
  isOfPaths: true,
  outcomes({ status, body, headers = {} }) {
    return [{ ...(status < 400 ? { value: body } : { error: body }), status, headers }]
  },
  write([{ error, value, status = 200, headers = {} } = {}]) {
    const isText = headers['content-type'] !== undefined && contentKindOf(headers['content-type']) !== 'json'
    const content = error ?? value
    return { status, headers, body: content === undefined ? '' : isText ? content : JSON.stringify(content) }
  },
}

/** What no exchange alone shows. */
export const SEEN_TOGETHER: Pick<Protocol, 'speaks' | 'isSeenTogether' | 'operations'> = {
  speaks: () => false,
  isSeenTogether: true,
  operations: () => () => undefined,
}
