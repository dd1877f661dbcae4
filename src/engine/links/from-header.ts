import { defineLink, KEEP } from './link.ts'

/** The value of a request header, whatever the case of its name; the first one when it came several times. */
export const FromHeader = defineLink('fromHeader', ({ headers }, name: string) => {
  const value = headers[name.toLowerCase()]
  return (typeof value === 'string' ? value : value?.[0]) ?? KEEP
})
