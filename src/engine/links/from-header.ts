import { defineLink, KEEP, textsOf } from './link.ts'

/** The value of a request header, whatever the case of its name; the first one when it came several times. */
export const FromHeader = defineLink('fromHeader', {
  resolve({ headers }, name: string) {
    const value = Object.hasOwn(headers, name.toLowerCase()) ? headers[name.toLowerCase()] : undefined
    return (typeof value === 'string' ? value : value?.[0]) ?? KEEP
  },
  fromData: textsOf('fromHeader takes the name of a header'),
})
