import { memberAt } from '../schema/member.ts'
import { readPointer } from '../schema/pointer.ts'
import { defineLink, KEEP, textsOf } from './link.ts'

/** What a stored item has at a JSON pointer, in the models of what a change makes anew of it (`touches`). */
export const FromItem = defineLink('fromItem', {
  resolve: ({ item }, pointer: string) =>
    item === undefined ? KEEP : (memberAt(item, readPointer(pointer)) ?? KEEP),
  fromData: textsOf('fromItem takes a JSON pointer, such as /total'),
})
