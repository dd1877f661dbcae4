import { isObject } from '../../engine/schema/schema.ts'
import { childOf, entriesOf, type Node } from './node.ts'

/** What the `x-sim-…` keys of a description say of a route. */
export interface SimExtensions {
  /** By name; what stands nearer to the operation wins. */
  readonly options: ReadonlyMap<string, Node>
  /** Whether the route keeps what it is sent; `undefined` where nothing says so. */
  readonly stateful: boolean | undefined
}

const PREFIX = 'x-sim-'
const OPTIONS = 'x-sim-options'
const STATEFUL = 'x-sim-stateful'

/** Reads the `x-sim-…` keys of a document, a path item and an operation, in this order. */
export function simExtensionsOf(holders: readonly Node[]): SimExtensions {
  const options = new Map<string, Node>()
  let stateful: boolean | undefined
  for (const holder of holders) {
    if (!isObject(holder.value)) continue
    const keys = Object.keys(holder.value).filter((key) => key.startsWith(PREFIX))
    if (keys.length === 0) continue
    for (const option of entriesOf(childOf(holder, OPTIONS))) options.set(option.key, option)
    for (const key of keys) {
      const node = childOf(holder, key)
      if (node === undefined || key === OPTIONS) continue
      if (key !== STATEFUL) options.set(key.slice(PREFIX.length).replaceAll('-', '_'), node)
      else if (typeof node.value === 'boolean') stateful = node.value
    }
  }
  return { options, stateful }
}
