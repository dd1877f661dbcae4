import type { Args } from './tables.ts'

type Units = (bytes: number, args: Args) => number

/** Units of so many bytes that are read. */
export const readUnits: Units = (bytes, { ConsistentRead }) =>
  Math.max(1, Math.ceil(bytes / 4096)) * (ConsistentRead === true ? 1 : 0.5)
/** Units of so many bytes that are written. */
export const writeUnits: Units = (bytes) => Math.max(1, Math.ceil(bytes / 1024))

/** `ConsumedCapacity`, where a request asks for it. */
export function consumed(args: Args, sizes: readonly number[], units: Units): Args {
  const { ReturnConsumedCapacity: wanted, TableName } = args
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  const CapacityUnits = sizes.reduce((total, bytes) => total + units(bytes, args), 0)
  const Table = wanted === 'INDEXES' ? { Table: { CapacityUnits } } : {}
  return { ConsumedCapacity: { TableName, CapacityUnits, ...Table } }
}
