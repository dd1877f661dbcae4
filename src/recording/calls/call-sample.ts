import type { ReadCall } from './call.ts'
import type { Item } from './objects.ts'

/** A recorded call, what it came to, and which objects are in its result. */
export interface CallSample extends ReadCall {
  readonly objects: readonly ObjectSeen[]
}

/** An object in the result of a call. */
export interface ObjectSeen {
  /** Where: the call's name, a JSON pointer with `-` for every item, and of an object within another, that one's place. */
  readonly place: string
  /** Its place in the result; `-` stands for any item of a list. */
  readonly pointer: string
  readonly item: Item
  /** The member that has its id. */
  readonly id: string
  /** What it says its type is, or a fragment it was selected by. */
  readonly typeName: string | undefined
  /** Whether calls name it by that, whatever other id it has. */
  readonly isHandle?: boolean
  /** Whether its call selected it. */
  readonly isSelected?: boolean
  /** Whether there is only its id, rather than an object. */
  readonly isName?: boolean
  /** The object that it is a member of, and the member. */
  readonly parent?: { readonly seen: ObjectSeen; readonly member: string }
}
