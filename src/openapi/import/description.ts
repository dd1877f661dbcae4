import type { Checked } from './check.ts'
import type { Library } from './library.ts'
import type { Models } from './models.ts'
import type { Node } from './node.ts'

/** A description that was gone through, as its parts are read from it. */
export interface Description {
  readonly library: Library
  readonly checked: Checked
  readonly models: Models
}

/** What a node stands for; `undefined` where its reference leads nowhere. */
export function followed({ library }: Description, node: Node | undefined): Node | undefined {
  const target = node === undefined ? undefined : library.follow(node)
  return typeof target === 'string' ? undefined : target
}
