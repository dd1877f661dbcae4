import type { Fresh } from '../../match/nearest-answer.ts'
import { consumed, readUnits, writeUnits } from './capacity.ts'
import { readExpressions } from './expressions.ts'
import { list } from './list-items.ts'
import { ERRORS, Refusal } from './refusal.ts'
import * as all from './tables.ts'
import type { Args, Table, Tables } from './tables.ts'
import { legacyCondition } from './updates.ts'
import { type Attributes, type Path, shown, sizeOfItem, textIn } from './values.ts'
import { apply, change, type Change, write } from './writes.ts'

/** What an operation works with. */
interface Service extends Tables {
  /** The description of some table. */
  readonly description: Args | undefined
  /** The members of what is answered when a table is deleted. */
  readonly deleted: readonly string[] | undefined
  /** Where items are in a scan, by their ids; those that are not here come after them as they were stored. */
  readonly ranks: ReadonlyMap<string, number>
  readonly fresh: Fresh
}

type Operation = (args: Args, service: Service) => Args | undefined

/**
 * What operations on items and tables answer (Amazon DynamoDB API Reference, version 2012-08-10), by their names;
 * `undefined` where the service would have to know more. They throw `Refusal`.
 */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  CreateTable(args, { tables, description, fresh }) {
    const name = String(args['TableName'])
    if (tables.items.has(name)) throw new Refusal(ERRORS.tableExists, { TableName: name })
    if (description === undefined) return undefined
    const table = all.describeNew(args, description, fresh)
    tables.items.set(name, all.settled(table))
    return { TableDescription: table }
  },
  DescribeTable(args, service) {
    const table = all.tableOf(service, args, ERRORS.noTableNamed)
    return 'TableStatus' in table ? { Table: table } : undefined
  },
  UpdateTable(args, service) {
    const table = all.tableOf(service, args, ERRORS.noTableNamed) as Table & Args
    const changed = {
      ...table,
      ...all.pick(args, ['AttributeDefinitions']),
      ...(args['ProvisionedThroughput'] !== undefined && {
        ProvisionedThroughput: all.throughputOf(args['ProvisionedThroughput']),
      }),
      ...indexUpdates(table, args['GlobalSecondaryIndexUpdates']),
    }
    service.tables.items.set(table.TableName, all.settled(changed))
    // Throughput stays as it is until that is done.
    const { ProvisionedThroughput } = table
    return { TableDescription: { ...changed, ProvisionedThroughput, TableStatus: 'UPDATING' } }
  },
  DeleteTable(args, service) {
    const { tables, items, deleted } = service
    const table = all.tableOf(service, args, ERRORS.noTableNamed)
    tables.items.delete(table.TableName)
    for (const { id } of all.itemsOf(service, table)) items.items.delete(id)
    const description = { ...table, TableStatus: 'DELETING' }
    return { TableDescription: deleted === undefined ? description : all.pick(description, deleted) }
  },
  ListTables({ ExclusiveStartTableName: after, Limit }, { tables }) {
    const names = [...tables.items.keys()].toSorted()
    const rest = after === undefined ? names : names.filter((name) => name > textIn(after))
    const page = rest.slice(0, Limit === undefined ? 100 : Number(Limit))
    return {
      TableNames: page,
      ...(page.length < rest.length && { LastEvaluatedTableName: page.at(-1) }),
    }
  },
  GetItem(args, service) {
    const paths = projectionOf(args)
    const table = all.tableOf(service, args)
    const { item } = all.itemAt(service, table, args['Key']) ?? {}
    return {
      ...(item !== undefined && { Item: shown(item, paths) }),
      ...consumed(args, [sizeOfItem(item ?? {})], readUnits),
    }
  },
  PutItem: (args, service) => write('Put', args, service),
  UpdateItem: (args, service) => write('Update', args, service),
  DeleteItem: (args, service) => write('Delete', args, service),
  Query: (args, service) => {
    const expressions = readExpressions(args)
    const condition =
      expressions.condition('KeyConditionExpression') ?? legacyCondition(args['KeyConditions'], 'AND')
    return condition && list(args, service, expressions, condition)
  },
  Scan: (args, service) => list(args, service, readExpressions(args)),
  BatchGetItem({ RequestItems, ReturnConsumedCapacity }, service) {
    const requested = Object.entries(RequestItems as Readonly<Record<string, Args>>)
    const found = requested.map(([TableName, request]) => {
      const paths = projectionOf(request)
      const table = all.tableOf(service, { TableName })
      const keys = request['Keys'] as readonly Attributes[]
      checkDuplicates(keys.map((key) => all.idOf(table, all.checkedKey(table, key))))
      const items = keys.flatMap((key): Attributes[] => {
        const found = all.itemAt(service, table, key)
        return found === undefined ? [] : [found.item]
      })
      return { TableName, items, paths, request: { ...request, TableName, ReturnConsumedCapacity } }
    })
    const capacity = found.flatMap(
      ({ request, items }) => consumed(request, items.map(sizeOfItem), readUnits)['ConsumedCapacity'] ?? [],
    )
    return {
      Responses: Object.fromEntries(
        found.map(({ TableName, items, paths }) => [TableName, items.map((item) => shown(item, paths))]),
      ),
      UnprocessedKeys: {},
      ...(capacity.length > 0 && { ConsumedCapacity: capacity }),
    }
  },
  BatchWriteItem({ RequestItems, ReturnConsumedCapacity }, service) {
    const requested = Object.entries(RequestItems as Readonly<Record<string, readonly BatchWrite[]>>)
    const changes = requested.map(([TableName, requests]) => ({
      TableName,
      own: requests.map(({ PutRequest: put, DeleteRequest: gone }) =>
        put === undefined
          ? change('Delete', { TableName, ...gone }, service)
          : change('Put', { TableName, ...put }, service),
      ),
    }))
    for (const { own } of changes) checkDuplicates(own.map(({ id }) => id))
    for (const each of changes.flatMap(({ own }) => own)) apply(each, service)
    const capacity = changes.flatMap(
      ({ TableName, own }) =>
        consumed(
          { TableName, ReturnConsumedCapacity },
          own.map(({ now, before }) => sizeOfItem(now ?? before ?? {})),
          writeUnits,
        )['ConsumedCapacity'] ?? [],
    )
    return { UnprocessedItems: {}, ...(capacity.length > 0 && { ConsumedCapacity: capacity }) }
  },
  TransactGetItems({ TransactItems }, service) {
    const Responses = (TransactItems as readonly { readonly Get: Args }[]).map(({ Get }) => {
      const { item } = all.itemAt(service, all.tableOf(service, Get), Get['Key']) ?? {}
      return item === undefined ? {} : { Item: shown(item, projectionOf(Get)) }
    })
    return { Responses }
  },
  TransactWriteItems({ TransactItems }, service) {
    const items = TransactItems as readonly Readonly<Record<string, Args>>[]
    const tried = items.map((item): Change | Refusal => {
      const [[does, args] = ['', {}]] = Object.entries(item)
      try {
        return change(does, args, service)
      } catch (error) {
        if (error instanceof Refusal && error.code === 'ConditionalCheckFailedException') return error
        throw error
      }
    })
    if (tried.some((each) => each instanceof Refusal)) {
      const reasons = tried.map((each) =>
        each instanceof Refusal
          ? { Code: 'ConditionalCheckFailed', Message: each.template, ...each.more }
          : { Code: 'None' },
      )
      const Reasons = reasons.map(({ Code }) => Code).join(', ')
      throw new Refusal(ERRORS.cancelled, { Reasons }, { CancellationReasons: reasons })
    }
    for (const each of tried) if (!(each instanceof Refusal)) apply(each, service)
    return {}
  },
}

interface BatchWrite {
  readonly PutRequest?: Args
  readonly DeleteRequest?: Args
}

function indexUpdates(table: Table & Args, given: unknown): Args {
  if (!Array.isArray(given)) return {}
  const arn = String(table['TableArn'])
  const updates = given as readonly Readonly<Record<string, Args>>[]
  const changed = updates.reduce<readonly Args[]>(
    (indexes, { Create, Update, Delete }) => {
      if (Create !== undefined) return [...indexes, all.describeIndex(Create, arn, true)]
      if (Delete !== undefined) return indexes.filter(({ IndexName }) => IndexName !== Delete['IndexName'])
      return indexes.map((index) =>
        index['IndexName'] === Update?.['IndexName']
          ? { ...index, ProvisionedThroughput: all.throughputOf(Update?.['ProvisionedThroughput']) }
          : index,
      )
    },
    (table.GlobalSecondaryIndexes ?? []) as unknown as readonly Args[],
  )
  return { GlobalSecondaryIndexes: changed.length === 0 ? undefined : changed }
}

function checkDuplicates(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length) throw new Refusal(ERRORS.duplicates)
}

function projectionOf(args: Args): readonly Path[] | undefined {
  const expressions = readExpressions(args)
  const paths = expressions.paths('ProjectionExpression')
  expressions.checkUse()
  return paths ?? (args['AttributesToGet'] as readonly string[] | undefined)?.map((name) => [name])
}
