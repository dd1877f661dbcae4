import type { Headers } from '../../message.ts'
import { defineLink, KEEP, textsOf } from './link.ts'
import { decodeSegment } from '../../routing/path-template.ts'

/** The value of a request cookie (RFC 6265, section 5.4). Names are case-sensitive; the first of a name counts. */
export const FromCookie = defineLink('fromCookie', {
  resolve({ headers }, name: string) {
    const value = cookieNamed(headers, name)
    return value === undefined ? KEEP : decode(value)
  },
  fromData: textsOf('fromCookie takes the name of a cookie'),
})

/** The cookie of a name that a request has, as it is sent; the first one where there are several. */
export function cookieNamed(headers: Headers, name: string): string | undefined {
  const header = headers['cookie'] ?? ''
  for (const pair of (typeof header === 'string' ? header : header.join(';')).split(';')) {
    const separator = pair.indexOf('=')
    if (separator > 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim()
  }
  return undefined
}

function decode(value: string): string {
  return decodeSegment(/^"(.*)"$/.exec(value)?.[1] ?? value)
}
