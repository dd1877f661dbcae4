import { defineLink, KEEP, textsOf } from './link.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** The value of a request cookie (RFC 6265, section 5.4). Names are case-sensitive; the first of a name counts. */
export const FromCookie = defineLink('fromCookie', {
  resolve({ headers }, name: string) {
    const header = headers['cookie'] ?? ''
    const pairs = (typeof header === 'string' ? header : header.join(';')).split(';')
    for (const pair of pairs) {
      const separator = pair.indexOf('=')
      const found = separator > 0 && pair.slice(0, separator).trim() === name
      if (found) return decode(pair.slice(separator + 1).trim())
    }
    return KEEP
  },
  fromData: textsOf('fromCookie takes the name of a cookie'),
})

function decode(value: string): string {
  return decodeSegment(/^"(.*)"$/.exec(value)?.[1] ?? value)
}
