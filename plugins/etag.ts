import { etagOf } from '../src/engine/etag.ts'
import { asksAnew, conditionsOf, evaluate } from '../src/http/conditions.ts'
import { isObject } from '../src/engine/schema/schema.ts'
import { HANDLED } from '../src/message.ts'
import type { Form } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'

const FLAG = { type: 'boolean' }
const ETAG: Form = {
  check: (value) => {
    if (!isObject(value)) return WANTED
    const {
      weak = false,
      match = false,
      reload = false,
      written = false,
      known = {},
      at = '',
      ...others
    } = value
    const areFlags = [weak, match, reload, written].every((flag) => typeof flag === 'boolean')
    const areTexts = isObject(known) && Object.values(known).every((each) => typeof each === 'string')
    return areFlags && areTexts && typeof at === 'string' && Object.keys(others).length === 0
      ? undefined
      : WANTED
  },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      weak: { ...FLAG, description: 'Whether they are weak.' },
      match: {
        ...FLAG,
        description: 'Whether a write is refused with 412 whose If-Match or If-None-Match is not met.',
      },
      reload: {
        ...FLAG,
        description:
          'Whether a request with Cache-Control: no-cache gets all of the answer, whatever it has.',
      },
      written: {
        ...FLAG,
        description: 'Whether an answer without a body to a write has the ETag that a GET gets then.',
      },
      at: {
        type: 'string',
        description: 'The pointer to what is the ETag in a body that names its own, such as /etag.',
      },
      known: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'ETags by the digests of what they are of.',
      },
    },
  },
}
const WANTED = 'an object such as { weak: true, match: true }'

/** Gives answers an ETag, and 304 to who has what one names (RFC 9110, sections 8.8.3 and 13.1.2). */
export const etag: Plugin = {
  name: 'etag',
  options: {
    etag: {
      ...ETAG,
      describe:
        'ETags of successful answers: a GET with If-None-Match gets 304, with `match` a write whose If-Match or If-None-Match is not met gets 412.',
    },
  },
  plan({ policies: { etag: option } }) {
    if (option === undefined) return undefined
    return {
      after({ method, headers: sent }, response) {
        const { status, headers, body } = response
        if (response === HANDLED || (status !== 200 && status !== 201) || body === undefined) return response
        // Whatever another part gave, all answers about one state are to have one.
        const tag = etagOf(body, option)
        const others = headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'etag')
        const known = { ...response, headers: [...others, 'etag', tag] }
        if (method !== 'GET' && method !== 'HEAD') return known
        if (option.reload === true && asksAnew([sent['cache-control'] ?? []].flat().join())) return known
        const conditions = conditionsOf(
          Object.entries(sent).map(([name, value]) => ({ name, value: [value ?? ''].flat().join(', ') })),
        )
        const validators = { etag: tag, lastModified: undefined }
        return conditions !== undefined && evaluate(method, conditions, validators) === 'not modified'
          ? { status: 304, headers: ['etag', tag] }
          : known
      },
    }
  },
}
