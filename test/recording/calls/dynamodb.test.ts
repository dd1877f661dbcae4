import { afterEach, describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/index.ts'
import { createGateway } from '../../../src/gateway.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { dynamodb } from '../../../src/recording/protocols/dynamodb/dynamodb.ts'
import { sample } from '../inference/samples.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Recorded = readonly [operation: string, args: object, response: object, status?: number]

const headersOf = (operation: string): Record<string, string> => ({
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  'content-type': 'application/x-amz-json-1.0',
})

/** Sends operations to a gateway that answers by what exchanges show. */
function clientOf(...recorded: readonly Recorded[]) {
  const samples = recorded.map(([operation, body, response, status = 200], index) =>
    sample(index, 'POST /', { body, response, status }, headersOf(operation)),
  )
  const calls = inferCalls(samples, dynamodb)
  if (calls === undefined) throw new Error('Nothing was inferred')
  const api = new SimAPI({ seed: 1 })
  api.route('POST', '/', { calls, nearest: 'failures' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  return async (operation: string, payload: object): Promise<Record<string, unknown>> =>
    (await app.inject({ method: 'POST', url: '/', headers: headersOf(operation), payload })).json()
}

const LOANS = {
  TableName: 'Loans',
  AttributeDefinitions: [
    { AttributeName: 'reader', AttributeType: 'S' },
    { AttributeName: 'day', AttributeType: 'N' },
    { AttributeName: 'branch', AttributeType: 'S' },
  ],
  KeySchema: [
    { AttributeName: 'reader', KeyType: 'HASH' },
    { AttributeName: 'day', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'byBranch',
      KeySchema: [{ AttributeName: 'branch', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
}
const S = (text: string) => ({ S: text })
const N = (number: number | string) => ({ N: String(number) })
const loan = (reader: string, day: number, more: object = {}) => ({ reader: S(reader), day: N(day), ...more })
const ERROR = 'com.amazonaws.dynamodb.v20120810#'

const RECORDED: readonly Recorded[] = [
  ['DescribeTable', { TableName: 'Loans' }, { Table: { ...LOANS, TableStatus: 'ACTIVE', ItemCount: 0 } }],
  ['GetItem', { TableName: 'Loans', Key: loan('ann', 1) }, { Item: loan('ann', 1, { title: S('Dune') }) }],
  [
    'GetItem',
    { TableName: 'Nothing', Key: loan('ann', 1) },
    { __type: `${ERROR}ResourceNotFoundException`, message: 'No such table' },
    400,
  ],
  [
    'Scan',
    { TableName: 'Loans' },
    { Items: [loan('zoe', 2), loan('ann', 1, { title: S('Dune') })], Count: 2, ScannedCount: 2 },
  ],
]

/** A gateway with a few more loans. */
async function withLoans() {
  const send = clientOf(...RECORDED)
  const call = (operation: string, args: object) => send(operation, { TableName: 'Loans', ...args })
  for (const day of [10, 9, 2])
    await call('PutItem', { Item: loan('bob', day, { branch: S('north'), fee: N(day / 10) }) })
  return call
}

describe('DynamoDB', () => {
  it('begins with the items that were read, in the order of the scans', async () => {
    const call = clientOf(...RECORDED)
    expect(await call('Scan', { TableName: 'Loans', Limit: 1 })).toEqual({
      Items: [loan('zoe', 2)],
      ...{ Count: 1, ScannedCount: 1, LastEvaluatedKey: loan('zoe', 2) },
    })
    expect(
      await call('Scan', { TableName: 'Loans', Limit: 5, ExclusiveStartKey: loan('zoe', 2) }),
    ).toMatchObject({ Items: [{ title: S('Dune') }], ScannedCount: 1 })
  })

  it.each<[string, Record<string, unknown>, number[]]>([
    ['all, in the order of numbers', {}, [2, 9, 10]],
    ['downwards', { ScanIndexForward: false, Limit: 2 }, [10, 9]],
    ['some keys', { key: ' AND #d BETWEEN :a AND :b', values: { ':a': N(3), ':b': N('9.0') } }, [9]],
    ['the next page', { Limit: 1, ExclusiveStartKey: loan('bob', 2) }, [9]],
    [
      'a filter',
      { FilterExpression: 'fee > :f OR size(branch) > :s', values: { ':f': N('0.95'), ':s': N(9) } },
      [10],
    ],
  ])('queries %s', async (_, { key = '', values = {}, ...more }, days) => {
    const call = await withLoans()
    const { Items } = await call('Query', {
      KeyConditionExpression: `reader = :r${key as string}`,
      ...(key !== '' && { ExpressionAttributeNames: { '#d': 'day' } }),
      ExpressionAttributeValues: { ':r': S('bob'), ...(values as object) },
      ...more,
    })
    expect((Items as { day: { N: string } }[]).map(({ day }) => Number(day.N))).toEqual(days)
  })

  it('queries an index for what it holds', async () => {
    const call = await withLoans()
    const { Items, LastEvaluatedKey } = await call('Query', {
      ...{ IndexName: 'byBranch', KeyConditionExpression: 'branch = :b', Limit: 1 },
      ExpressionAttributeValues: { ':b': S('north') },
    })
    expect(Items).toEqual([LastEvaluatedKey])
    expect(Object.keys(LastEvaluatedKey as object).toSorted()).toEqual(['branch', 'day', 'reader'])
  })

  it.each([
    ['SET fee = fee + :v', { ':v': N('0.1') }, { fee: N('0.3') }],
    ['SET fee = if_not_exists(paid, :v) - fee', { ':v': N(1) }, { fee: N('0.8') }],
    ['REMOVE fee ADD notes :v', { ':v': { SS: ['late'] } }, { fee: undefined, notes: { SS: ['late'] } }],
    ['SET pages = list_append(:v, :v)', { ':v': { L: [N(1)] } }, { pages: { L: [N(1), N(1)] } }],
  ])('updates by %s', async (UpdateExpression, values, expected) => {
    const call = await withLoans()
    const { Attributes } = await call('UpdateItem', {
      ...{ Key: loan('bob', 2), UpdateExpression, ReturnValues: 'ALL_NEW' },
      ExpressionAttributeValues: values,
    })
    expect(Attributes).toEqual({ ...loan('bob', 2, { branch: S('north'), fee: N('0.2') }), ...expected })
  })

  it('sets and shows parts of maps and lists', async () => {
    const call = await withLoans()
    await call('PutItem', {
      Item: loan('cy', 1, { of: { M: { kind: S('book'), at: { L: [N(1), N(2), N(3)] } } } }),
    })
    const { Attributes } = await call('UpdateItem', {
      ...{ Key: loan('cy', 1), UpdateExpression: 'SET #o.kind = :k REMOVE #o.#a[0], #o.#a[2]' },
      ExpressionAttributeNames: { '#o': 'of', '#a': 'at' },
      ...{ ExpressionAttributeValues: { ':k': S('film') }, ReturnValues: 'UPDATED_NEW' },
    })
    expect(Attributes).toMatchObject({ of: { M: { kind: S('film') } } })
    const read = {
      Key: loan('cy', 1),
      ProjectionExpression: '#o.#a',
      ExpressionAttributeNames: { '#o': 'of', '#a': 'at' },
    }
    expect(await call('GetItem', read)).toEqual({ Item: { of: { M: { at: { L: [N(2)] } } } } })
  })

  it.each([
    [
      'PutItem',
      { Item: loan('bob', 2), ConditionExpression: 'attribute_not_exists(reader)' },
      'The conditional request failed',
    ],
    [
      'DeleteItem',
      { Key: loan('bob', 2), Expected: { fee: { Value: N(9) } } },
      'The conditional request failed',
    ],
    ['GetItem', { Key: { reader: S('bob') } }, 'The provided key element does not match the schema'],
    ['GetItem', { TableName: 'Other', Key: loan('a', 1) }, 'No such table'],
    [
      'PutItem',
      { Item: { reader: S('bob') } },
      'One or more parameter values were invalid: Missing the key day in the item',
    ],
    [
      'Query',
      { KeyConditionExpression: 'fee = :f', ExpressionAttributeValues: { ':f': N(1) } },
      'Query condition missed key schema element: reader',
    ],
    [
      'UpdateItem',
      { Key: loan('bob', 2), UpdateExpression: 'SET name = :n', ExpressionAttributeValues: { ':n': S('x') } },
      'Invalid UpdateExpression: Attribute name is a reserved keyword; reserved keyword: name',
    ],
    [
      'UpdateItem',
      { Key: loan('bob', 2), UpdateExpression: 'SET x.y = :n', ExpressionAttributeValues: { ':n': S('x') } },
      'The document path provided in the update expression is invalid for update',
    ],
    [
      'PutItem',
      {},
      "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null",
    ],
  ])('refuses %s %j', async (operation, args, message) => {
    const call = await withLoans()
    expect(await call(operation, args)).toMatchObject({ message })
    expect(await call('GetItem', { Key: loan('bob', 2) })).toMatchObject({ Item: { fee: N('0.2') } })
  })

  it('writes and reads many at once, all or none of a transaction', async () => {
    const call = await withLoans()
    await call('BatchWriteItem', {
      RequestItems: {
        Loans: [{ PutRequest: { Item: loan('dee', 1) } }, { DeleteRequest: { Key: loan('bob', 9) } }],
      },
    })
    const Put = { TableName: 'Loans', Item: loan('eve', 1) }
    const ConditionCheck = {
      TableName: 'Loans',
      Key: loan('bob', 9),
      ConditionExpression: 'attribute_exists(fee)',
    }
    expect(await call('TransactWriteItems', { TransactItems: [{ Put }, { ConditionCheck }] })).toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    })
    const Keys = [loan('dee', 1), loan('bob', 9), loan('eve', 1)]
    expect(await call('BatchGetItem', { RequestItems: { Loans: { Keys } } })).toEqual({
      Responses: { Loans: [loan('dee', 1)] },
      UnprocessedKeys: {},
    })
  })

  it('makes tables as those that were described, and deletes them with their items', async () => {
    const call = await withLoans()
    expect(await call('CreateTable', { ...LOANS, TableName: 'More' })).toMatchObject({
      TableDescription: { TableStatus: 'CREATING', GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }] },
    })
    expect(await call('DescribeTable', { TableName: 'More' })).toMatchObject({
      Table: { TableStatus: 'ACTIVE' },
    })
    expect(await call('ListTables', { Limit: 1 })).toEqual({
      TableNames: ['Loans'],
      LastEvaluatedTableName: 'Loans',
    })
    await call('DeleteTable', { TableName: 'Loans' })
    expect(await call('Scan', { TableName: 'Loans' })).toMatchObject({ message: 'No such table' })
    expect(await call('ListTables', {})).toEqual({ TableNames: ['More'] })
  })
})
