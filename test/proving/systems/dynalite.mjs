import { createRequire } from 'node:module'
import { pause, startServer } from '../server.ts'

const require = createRequire(import.meta.url)
const CLI = require.resolve('dynalite/cli.js')
const dynamo = require('@aws-sdk/client-dynamodb')
const documents = require('@aws-sdk/lib-dynamodb')

export function start() {
  const times = ['--createTableMs', '50', '--deleteTableMs', '50']
  return startServer(process.execPath, (port) => [
    CLI,
    '--port',
    String(port),
    '--host',
    '127.0.0.1',
    ...times,
  ])
}

const DATA = /\/(?:Item|Items\/-|Key|Attributes|LastEvaluatedKey)$/
export const isMap = (pointer) => DATA.test(pointer)

const VALUES = {
  A: { buyers: ['kim', 'lee', 'max'], state: 'sent' },
  B: { buyers: ['noa', 'pat', 'quin'], state: 'lost' },
}
const TABLE = 'Sales'
const SCHEMA = {
  TableName: TABLE,
  AttributeDefinitions: [
    { AttributeName: 'buyer', AttributeType: 'S' },
    { AttributeName: 'line', AttributeType: 'N' },
  ],
  KeySchema: [
    { AttributeName: 'buyer', KeyType: 'HASH' },
    { AttributeName: 'line', KeyType: 'RANGE' },
  ],
  ProvisionedThroughput: { ReadCapacityUnits: 3, WriteCapacityUnits: 3 },
}

export async function session(base, which, check) {
  const { buyers, state } = VALUES[which]
  const client = new dynamo.DynamoDBClient({
    endpoint: base,
    region: 'eu-west-1',
    credentials: {
      accessKeyId: 'AKIAEXAMPLEEXAMPLE00',
      secretAccessKey: 'example/example/example/example/example0',
    },
    maxAttempts: 1,
  })
  const table = documents.DynamoDBDocumentClient.from(client)
  const send = (name, input) => client.send(new dynamo[`${name}Command`](input))
  const call = (name, input) => table.send(new documents[`${name}Command`]({ TableName: TABLE, ...input }))
  const failsWith = (name) => (_value, error) => error?.name === name
  const key = (buyer, line) => ({ Key: { buyer, line } })
  const of = (buyer) => ({
    KeyConditionExpression: '#b = :b',
    ExpressionAttributeNames: { '#b': 'buyer' },
    ExpressionAttributeValues: { ':b': buyer },
  })

  await check(
    'no tables',
    () => send('ListTables', {}),
    ({ TableNames }) => TableNames.length === 0,
  )
  await check(
    'describe none',
    () => send('DescribeTable', { TableName: TABLE }),
    failsWith('ResourceNotFoundException'),
  )
  await check(
    'create table',
    () => send('CreateTable', SCHEMA),
    ({ TableDescription }) => TableDescription.TableName === TABLE,
  )
  // Tables come and go only after a while.
  await pause(200)
  await check(
    'describe',
    () => send('DescribeTable', { TableName: TABLE }),
    ({ Table }) => Table.TableStatus === 'ACTIVE',
  )
  await check('create table again', () => send('CreateTable', SCHEMA), failsWith('ResourceInUseException'))
  for (const buyer of buyers)
    for (const line of [1, 2, 3, 4])
      await check('put', () =>
        call('Put', {
          Item: { buyer, line, state: line % 2 ? 'new' : 'paid', price: line * 7.5, tags: ['x', 'y'] },
        }),
      )
  for (const buyer of buyers)
    await check(
      'get',
      () => call('Get', key(buyer, 3)),
      ({ Item }) => Item.buyer === buyer && Item.price === 22.5,
    )
  await check(
    'get none',
    () => call('Get', key('none', 1)),
    ({ Item }) => Item === undefined,
  )
  for (const buyer of buyers)
    await check(
      'query',
      () => call('Query', of(buyer)),
      ({ Count, Items }) => Count === 4 && Items.every((each) => each.buyer === buyer),
    )
  await check(
    'scan in pages',
    async () => {
      const found = []
      let [pages, next] = [0, undefined]
      do {
        const page = await call('Scan', { Limit: 5, ExclusiveStartKey: next })
        found.push(...page.Items)
        next = page.LastEvaluatedKey
        pages++
      } while (next !== undefined && pages < 10)
      return { found, pages }
    },
    ({ found, pages }) => found.length === 12 && pages === 3,
  )
  const change = {
    UpdateExpression: 'SET #s = :s',
    ExpressionAttributeNames: { '#s': 'state' },
    ExpressionAttributeValues: { ':s': state },
  }
  await check(
    'update',
    () => call('Update', { ...key(buyers[0], 1), ...change, ReturnValues: 'ALL_NEW' }),
    ({ Attributes }) => {
      return Attributes.state === state && Attributes.buyer === buyers[0]
    },
  )
  const isNew = {
    ConditionExpression: 'attribute_not_exists(#b)',
    ExpressionAttributeNames: { '#b': 'buyer' },
  }
  await check(
    'put only if new',
    () => call('Put', { Item: { buyer: buyers[0], line: 1 }, ...isNew }),
    failsWith('ConditionalCheckFailedException'),
  )
  await check(
    'get without a whole key',
    () => call('Get', { Key: { buyer: buyers[0] } }),
    failsWith('ValidationException'),
  )
  await check('delete', () => call('Delete', key(buyers[1], 4)))
  await check(
    'get deleted',
    () => call('Get', key(buyers[1], 4)),
    ({ Item }) => Item === undefined,
  )
  const both = [1, 2].map((line) => ({ buyer: 'batch', line }))
  await check(
    'put a batch',
    () => call('BatchWrite', { RequestItems: { [TABLE]: both.map((Item) => ({ PutRequest: { Item } })) } }),
    ({ UnprocessedItems }) => {
      return Object.keys(UnprocessedItems).length === 0
    },
  )
  await check(
    'get a batch',
    () => call('BatchGet', { RequestItems: { [TABLE]: { Keys: both } } }),
    ({ Responses }) => Responses[TABLE].length === 2,
  )
  await check(
    'scan',
    () => call('Scan', {}),
    ({ Count }) => Count === 13,
  )
  await check(
    'delete table',
    () => send('DeleteTable', { TableName: TABLE }),
    ({ TableDescription }) => TableDescription.TableStatus === 'DELETING',
  )
  await pause(200)
  await check(
    'describe deleted',
    () => send('DescribeTable', { TableName: TABLE }),
    failsWith('ResourceNotFoundException'),
  )
  client.destroy()
}
