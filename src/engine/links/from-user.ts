import { defineLink, KEEP, textsOf } from './link.ts'

/** A field of the user who is logged in, by the route's `login`. */
export const FromUser = defineLink('fromUser', {
  resolve: ({ user }, name: string) => (user !== undefined && Object.hasOwn(user, name) ? user[name] : KEEP),
  fromData: textsOf('fromUser takes the name of a field of users'),
})
