import { isDeepStrictEqual } from 'node:util'
import { ModelInvalid } from '../../errors.ts'
import { isObject, LINK } from '../schema/schema.ts'
import { bindLink, defineLink, KEEP, linkFromData, type Link } from './link.ts'

/** An inner link that applies only while an input field equals a value; otherwise the field is generated. */
export const WhenInput = defineLink('whenInput', {
  resolve(context, field: string, equals: unknown, then: Link) {
    const value = Object.hasOwn(context.input, field) ? context.input[field] : undefined
    return isDeepStrictEqual(value, equals) ? bindLink(then[LINK]).resolve(context) : KEEP
  },
  inputFields: (field: string, _equals: unknown, then: Link) => [field, ...bindLink(then[LINK]).inputFields],
  problems: (_field: string, _equals: unknown, then: Link) => bindLink(then[LINK]).problems(),
  readsInputOnly: (_field: string, _equals: unknown, then: Link) => bindLink(then[LINK]).readsInputOnly,
  siblings: (_field: string, _equals: unknown, then: Link) => bindLink(then[LINK]).siblings,
  toData: (field: string, equals: unknown, then: Link) => ({ field, equals, then: then[LINK] }),
  fromData(data, base): [string, unknown, Link] {
    if (isObject(data) && typeof data['field'] === 'string' && 'equals' in data && isObject(data['then'])) {
      return [data['field'], data['equals'], linkFromData(data['then'], base)]
    }
    throw new ModelInvalid('whenInput takes { field: <name>, equals: <value>, then: { <link> } }')
  },
})
