import { createRequire } from 'node:module'
import { pause, startServer } from '../server.ts'

const require = createRequire(import.meta.url)
const CLI = require.resolve('kinesalite/cli.js')
const kinesis = require('@aws-sdk/client-kinesis')
const { NodeHttpHandler } = require('@smithy/node-http-handler')

export const short = {
  checks: 'names of streams in lists, and records after an iterator',
  'by rule': 'streams that are made without an answer, and records by sequence numbers',
}

export function start() {
  const times = ['--createStreamMs', '50', '--deleteStreamMs', '50', '--updateStreamMs', '50']
  return startServer(process.execPath, (port) => [CLI, '--port', String(port), ...times])
}

export const isMap = (pointer) => pointer.endsWith('/Tags')

const VALUES = {
  A: { stream: 'clicks', other: 'views', keys: ['kim', 'lee', 'max'], owner: 'web' },
  B: { stream: 'orders', other: 'bills', keys: ['noa', 'pat', 'quin'], owner: 'shop' },
}

export async function session(base, which, check) {
  const { stream: StreamName, other, keys, owner } = VALUES[which]
  const client = new kinesis.KinesisClient({
    endpoint: base,
    region: 'eu-west-1',
    credentials: {
      accessKeyId: 'AKIAEXAMPLEEXAMPLE00',
      secretAccessKey: 'example/example/example/example/example0',
    },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  })
  const send = (name, input) => client.send(new kinesis[`${name}Command`](input))
  const failsWith = (name) => (_value, error) => error?.name === name
  const bytes = (text) => new TextEncoder().encode(text)
  const texts = ({ Records }) => Records.map(({ Data }) => new TextDecoder().decode(Data))

  await check(
    'no streams',
    () => send('ListStreams', {}),
    ({ StreamNames }) => StreamNames.length === 0,
  )
  await check(
    'describe none',
    () => send('DescribeStream', { StreamName }),
    failsWith('ResourceNotFoundException'),
  )
  await check('create', () => send('CreateStream', { StreamName, ShardCount: 1 }))
  await check('create', () => send('CreateStream', { StreamName: other, ShardCount: 1 }))
  // Streams come and go only after a while.
  await pause(200)
  const { StreamDescription: stream } =
    (await check(
      'describe',
      () => send('DescribeStream', { StreamName }),
      ({ StreamDescription }) => StreamDescription.StreamName === StreamName,
    )) ?? {}
  const ShardId = stream?.Shards[0]?.ShardId
  await check(
    'create again',
    () => send('CreateStream', { StreamName, ShardCount: 1 }),
    failsWith('ResourceInUseException'),
  )
  await check(
    'list',
    () => send('ListStreams', {}),
    ({ StreamNames }) => StreamNames.includes(StreamName) && StreamNames.includes(other),
  )
  await check(
    'list some',
    () => send('ListStreams', { Limit: 1 }),
    ({ StreamNames, HasMoreStreams }) => StreamNames.length === 1 && HasMoreStreams,
  )
  for (const key of keys)
    await check(
      'put',
      () => send('PutRecord', { StreamName, PartitionKey: key, Data: bytes(`${key} came`) }),
      ({ SequenceNumber }) => SequenceNumber !== undefined,
    )
  await check(
    'put many',
    () =>
      send('PutRecords', {
        StreamName,
        Records: keys.slice(1).map((key) => ({ PartitionKey: key, Data: bytes(`${key} went`) })),
      }),
    ({ FailedRecordCount, Records }) => FailedRecordCount === 0 && Records.length === 2,
  )
  const from = async (ShardIteratorType) =>
    (
      await check(
        'shard iterator',
        () => send('GetShardIterator', { StreamName, ShardId, ShardIteratorType }),
        ({ ShardIterator }) => ShardIterator !== undefined,
      )
    )?.ShardIterator
  const start = await from('TRIM_HORIZON')
  await check(
    'get records',
    () => send('GetRecords', { ShardIterator: start }),
    (answer) => texts(answer).length === 5 && texts(answer)[0] === `${keys[0]} came`,
  )
  const page = await check(
    'get some records',
    () => send('GetRecords', { ShardIterator: start, Limit: 2 }),
    (answer) => texts(answer).length === 2,
  )
  await check(
    'get the next records',
    () => send('GetRecords', { ShardIterator: page?.NextShardIterator }),
    (answer) => texts(answer)[0] === `${keys[2]} came`,
  )
  await check('tag', () => send('AddTagsToStream', { StreamName, Tags: { owner, stage: 'test' } }))
  await check(
    'tags',
    () => send('ListTagsForStream', { StreamName }),
    ({ Tags }) => Tags.some(({ Key, Value }) => Key === 'owner' && Value === owner),
  )
  await check('untag', () => send('RemoveTagsFromStream', { StreamName, TagKeys: ['stage'] }))
  await check(
    'tags',
    () => send('ListTagsForStream', { StreamName }),
    ({ Tags }) => Tags.length === 1,
  )
  await check('keep for longer', () =>
    send('IncreaseStreamRetentionPeriod', { StreamName, RetentionPeriodHours: which === 'A' ? 48 : 72 }),
  )
  await check(
    'put into none',
    () => send('PutRecord', { StreamName: 'none', PartitionKey: 'a', Data: bytes('a') }),
    failsWith('ResourceNotFoundException'),
  )
  await check('delete', () => send('DeleteStream', { StreamName: other }))
  await pause(200)
  await check(
    'describe deleted',
    () => send('DescribeStream', { StreamName: other }),
    failsWith('ResourceNotFoundException'),
  )
  await check(
    'list the rest',
    () => send('ListStreams', {}),
    ({ StreamNames }) => StreamNames.length === 1 && StreamNames[0] === StreamName,
  )
  client.destroy()
}
