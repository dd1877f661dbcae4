import { isObject } from '../../../engine/schema/schema.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import type { Item, Objects } from '../../calls/objects.ts'
import { ERRORS, Refusal } from './refusal.ts'
import { type Attributes, stored, storedAttributes, textIn, typeOf, type Value } from './values.ts'

export type Args = Readonly<Record<string, unknown>>

/** One attribute of a key. */
interface KeyPart {
  readonly AttributeName: string
  readonly KeyType: string
}

/** A table or an index, as far as it says which attributes its keys have. */
export interface Keyed {
  readonly KeySchema: readonly KeyPart[]
  readonly IndexName?: string
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] }
}

/** What is known of a table. */
export interface Table extends Keyed {
  readonly TableName: string
  readonly AttributeDefinitions?: readonly {
    readonly AttributeName: string
    readonly AttributeType: string
  }[]
  readonly GlobalSecondaryIndexes?: readonly Keyed[]
  readonly LocalSecondaryIndexes?: readonly Keyed[]
}

/** An item of a table. */
export interface StoredItem extends Item {
  readonly id: string
  readonly table: string
  readonly item: Attributes
}

/** The tables and items of a session. */
export interface Tables {
  readonly tables: Objects
  readonly items: Objects
}

/** @throws Refusal where there is no such table */
export function tableOf({ tables }: Tables, { TableName }: Args, error: TableError = ERRORS.noTable): Table {
  const table = tables.items.get(String(TableName))
  if (table === undefined) throw new Refusal(error, { TableName: String(TableName) })
  return table as unknown as Table
}

type TableError = (typeof ERRORS)['noTable' | 'noTableNamed']

/** The table, or the index of it that a request names. */
export function keyedOf(table: Table, { IndexName }: Args): Keyed {
  if (IndexName === undefined) return table
  const found = indexesOf(table).find((index) => index.IndexName === IndexName)
  if (found === undefined) throw new Refusal(ERRORS.noIndex, { IndexName: textIn(IndexName) })
  return found
}

export function indexesOf(table: Table): readonly Keyed[] {
  return [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])]
}

/** The names of the attributes that keys have, the one of the partition first. */
export function keyNames({ KeySchema }: Keyed): readonly string[] {
  return KeySchema.map(({ AttributeName }) => AttributeName)
}

/** The items of a table. */
export function itemsOf({ items }: Tables, { TableName }: Table): readonly StoredItem[] {
  return ([...items.items.values()] as StoredItem[]).filter(({ table }) => table === TableName)
}

/** What names an item among all. */
export function idOf(table: Table, item: Attributes): string {
  return JSON.stringify([table.TableName, ...keyNames(table).map((name) => stored(item[name] as Value))])
}

/**
 * The item that a key names; `undefined` where there is none.
 * @throws Refusal where it is not a key of the table
 */
export function itemAt(store: Tables, table: Table, key: unknown): StoredItem | undefined {
  return store.items.items.get(idOf(table, checkedKey(table, key))) as StoredItem | undefined
}

/** @throws Refusal where attributes are not a key of a table */
export function checkedKey(table: Table, key: unknown): Attributes {
  const names = keyNames(table)
  const own = isObject(key) ? Object.keys(key) : []
  const isKey = own.length === names.length && names.every((name) => own.includes(name))
  const attributes = key as Attributes
  if (!isKey || names.some((name) => !isOfType(table, name, attributes[name]))) throw new Refusal(ERRORS.key)
  checkEmpty(names, attributes)
  return storedAttributes(attributes)
}

/** @throws Refusal where an item lacks what keys need, or has it in another type */
export function checkedItem(table: Table, item: Attributes): Attributes {
  const names = keyNames(table)
  for (const name of names) {
    const value = item[name]
    if (value === undefined) throw new Refusal(ERRORS.missingKey, { Name: name })
    checkType(table, name, value, ERRORS.keyType, {})
  }
  checkEmpty(names, item)
  for (const index of indexesOf(table))
    for (const name of keyNames(index)) {
      const value = item[name]
      if (value !== undefined)
        checkType(table, name, value, ERRORS.indexKeyType, { IndexName: index.IndexName ?? '' })
    }
  return storedAttributes(item)
}

function checkEmpty(names: readonly string[], item: Attributes): void {
  const empty = names.find((name) => item[name]?.['S'] === '' || item[name]?.['B'] === '')
  if (empty !== undefined) throw new Refusal(ERRORS.emptyKey, { Name: empty })
}

function checkType(
  table: Table,
  Name: string,
  value: Value,
  error: (typeof ERRORS)['keyType' | 'indexKeyType'],
  more: Readonly<Record<string, string>>,
): void {
  if (!isOfType(table, Name, value))
    throw new Refusal(error, { Name, Type: typeIn(table, Name) ?? '', Actual: typeOf(value), ...more })
}

/** Whether a value is of the type that keys have it in. */
export function isOfType(table: Table, name: string, value: Value | undefined): boolean {
  const type = typeIn(table, name)
  return value !== undefined && (type === undefined || typeOf(value) === type)
}

function typeIn({ AttributeDefinitions = [] }: Table, name: string): string | undefined {
  return AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType
}

const OF_REQUEST =
  /^(GlobalSecondaryIndexes|LocalSecondaryIndexes|BillingModeSummary|TableThroughputModeSummary|Stream\w+|LatestStream\w+|SSE\w+)$/

/**
 * The description of a table that is made, with all that an earlier one has.
 * @param before the description of another table
 */
export function describeNew(args: Args, before: Args, fresh: Fresh): Args {
  const { TableName, BillingMode, ProvisionedThroughput, StreamSpecification } = args
  const usual = Object.entries(before).filter(([name]) => !OF_REQUEST.test(name))
  const arn = textIn(before['TableArn'] ?? 'arn:aws:dynamodb:us-east-1:000000000000:table/x').replace(
    /table\/.*$/,
    `table/${String(TableName)}`,
  )
  const isOnDemand = BillingMode === 'PAY_PER_REQUEST'
  const indexes = ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes'].flatMap((kind) => {
    const own = args[kind] as readonly Args[] | undefined
    const isGlobal = kind.startsWith('Global')
    return own === undefined ? [] : [[kind, own.map((index) => describeIndex(index, arn, isGlobal))] as const]
  })
  return {
    ...Object.fromEntries(usual),
    ...pick(args, ['TableName', 'AttributeDefinitions', 'KeySchema']),
    ProvisionedThroughput: throughputOf(ProvisionedThroughput),
    TableArn: arn,
    ...(before['TableId'] !== undefined && { TableId: freshLike(textIn(before['TableId']), fresh) }),
    CreationDateTime: fresh.now / 1000,
    ...{ ItemCount: 0, TableSizeBytes: 0, TableStatus: 'CREATING' },
    ...(isOnDemand && { BillingModeSummary: { BillingMode } }),
    ...(isOnDemand && { TableThroughputModeSummary: { TableThroughputMode: BillingMode } }),
    ...(StreamSpecification !== undefined && { StreamSpecification }),
    ...Object.fromEntries(indexes),
  }
}

export function describeIndex(index: Args, arn: string, isGlobal: boolean): Args {
  return {
    ...index,
    ...{ IndexArn: `${arn}/index/${String(index['IndexName'])}`, IndexSizeBytes: 0, ItemCount: 0 },
    ...(isGlobal && {
      IndexStatus: 'CREATING',
      ProvisionedThroughput: throughputOf(index['ProvisionedThroughput']),
    }),
  }
}

export function throughputOf(given: unknown): Args {
  const none = { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
  return { ...(isObject(given) ? given : none), NumberOfDecreasesToday: 0 }
}

/** A table as it is once what was begun is done. */
export function settled(table: Args): Args {
  const { BillingModeSummary: billing, GlobalSecondaryIndexes: indexes, CreationDateTime } = table
  return {
    ...table,
    TableStatus: 'ACTIVE',
    ...(isObject(billing) && {
      BillingModeSummary: { LastUpdateToPayPerRequestDateTime: CreationDateTime, ...billing },
    }),
    ...(Array.isArray(indexes) && {
      GlobalSecondaryIndexes: indexes.map((index: Args) => ({ ...index, IndexStatus: 'ACTIVE' })),
    }),
  }
}

/** Those members of an object that have names. */
export function pick(all: Args, names: readonly string[]): Args {
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
}
