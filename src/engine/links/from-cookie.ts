import { defineLink, KEEP } from './link.ts'

/** The value of a request cookie (RFC 6265, section 5.4). Names are case-sensitive; the first of a name counts. */
export const FromCookie = defineLink('fromCookie', ({ headers }, name: string) => {
  const header = headers['cookie']
  const pairs = (typeof header === 'string' ? header : (header ?? []).join('; ')).split(';')
  for (const pair of pairs) {
    const separator = pair.indexOf('=')
    if (separator > 0 && pair.slice(0, separator).trim() === name)
      return decode(pair.slice(separator + 1).trim())
  }
  return KEEP
})

function decode(value: string): string {
  const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}
