import { defineLink, KEEP, textsOf } from './link.ts'

/** A field of the user who is logged in, by the route's `login`; a number as text where a text is wanted. */
export const FromUser = defineLink('fromUser', {
  resolve: ({ user, schema }, name: string) => {
    const value = user !== undefined && Object.hasOwn(user, name) ? user[name] : KEEP
    return typeof value === 'number' && schema['type'] === 'string' ? String(value) : value
  },
  fromData: textsOf('fromUser takes the name of a field of users'),
})
