import { isObject } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Sample } from '../inference/sample.ts'
import { type Protocol, textOf } from './protocol.ts'

/** The grant that a request to a token endpoint has (RFC 6749, section 4). */
export function grantIn({ body }: Pick<Sample, 'body'>): string | undefined {
  return isObject(body) ? textOf(body['grant_type']) : undefined
}

/** Token endpoints, whose grants are answered each in its own way. */
export const oauth: Protocol = {
  name: 'OAuth 2',
  speaks: (sample) => sample.method === 'POST' && grantIn(sample) !== undefined,
  operations: () => (sample) => {
    const equals = grantIn(sample)
    if (equals === undefined) return undefined
    const isForm = mediaKindOf(sample.headers['content-type'] ?? '') === 'form'
    const when = isForm ? { form: 'grant_type', equals } : { pointer: '/grant_type', equals }
    return { name: equals, when }
  },
  isUnknown: ({ response }) => isObject(response) && response['error'] === 'unsupported_grant_type',
}
