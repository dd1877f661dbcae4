import { QueueServiceClient, StorageSharedKeyCredential } from '@azure/storage-queue'
import { startServer } from '../server.ts'

// Azurite, the emulator of Azure Storage: npm install --global azurite. It has 290 packages of its own.
export const needs = ['azurite-queue']
export const keepsHost = true
export const short = {
  checks:
    'messages in XML are answered as they were recorded: what is sent, taken and left of a queue is not learned',
  'by rule': 'likewise',
}

const ACCOUNT = 'devstoreaccount1'
const KEY = Buffer.from('a key of an emulator that checks none').toString('base64')

export function start(directory) {
  const args = (port) => ['--queueHost', '127.0.0.1', '--queuePort', `${port}`, '--location', directory]
  const silent = ['--silent', '--disableTelemetry', '--skipApiVersionCheck', '--loose']
  return startServer('azurite-queue', (port) => [...args(port), ...silent], {
    env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
  })
}

const all = async (pages) => {
  const found = []
  for await (const each of pages) found.push(each)
  return found
}
const failsWith = (status, code) => (_v, error) => error?.statusCode === status && error.code === code

export async function session(base, which, check) {
  const credential = new StorageSharedKeyCredential(ACCOUNT, KEY)
  const service = new QueueServiceClient(`${base}/${ACCOUNT}`, credential, { retryOptions: { maxTries: 1 } })
  const A = which === 'A'
  const [one, other] = A ? ['jobs', 'mails'] : ['orders', 'events']
  const queue = (name) => service.getQueueClient(name)
  const queues = (names) =>
    check(
      'queues',
      () => all(service.listQueues()),
      (found) => found.map((q) => q.name).join() === names.join(),
    )
  const text = (items) => items.map((each) => each.messageText).join()
  const send = (name, body) =>
    check(
      'send',
      () => queue(name).sendMessage(body),
      (got) => got.messageId && got.popReceipt,
    )
  const peek = (name, count, wanted) =>
    check(
      'peek',
      () => queue(name).peekMessages({ numberOfMessages: count }),
      (got) => text(got.peekedMessageItems) === wanted.join(),
    )
  const take = (name, count, wanted) =>
    check(
      'take',
      () => queue(name).receiveMessages({ numberOfMessages: count, visibilityTimeout: 300 }),
      (got) => text(got.receivedMessageItems) === wanted.join(),
    )
  const left = (name, count) =>
    check(
      'left',
      () => queue(name).getProperties(),
      (got) => got.approximateMessagesCount === count,
    )
  await queues([])
  await check('create', () => queue(one).create())
  await check('create', () => queue(other).create({ metadata: { team: A ? 'red' : 'blue' } }))
  await check(
    'create again',
    () => queue(one).create(),
    (got, error) => error === undefined || error.statusCode === 409,
  )
  await queues([one, other].toSorted())
  await check(
    'properties',
    () => queue(other).getProperties(),
    (got) => got.metadata.team === (A ? 'red' : 'blue'),
  )
  const bodies = A ? ['first', 'second', 'third'] : ['alpha', 'beta', 'gamma', 'delta']
  for (const body of bodies) await send(one, body)
  await left(one, bodies.length)
  await peek(one, 1, bodies.slice(0, 1))
  await peek(one, 32, bodies)
  const [taken] = (await take(one, 1, bodies.slice(0, 1)))?.receivedMessageItems ?? []
  await peek(one, 32, bodies.slice(1))
  await check('delete message', () =>
    queue(one).deleteMessage(taken?.messageId ?? 'x', taken?.popReceipt ?? 'y'),
  )
  await left(one, bodies.length - 1)
  const [again] = (await take(one, 1, bodies.slice(1, 2)))?.receivedMessageItems ?? []
  const changed = await check(
    'update',
    () =>
      queue(one).updateMessage(again?.messageId ?? 'x', again?.popReceipt ?? 'y', A ? 'other' : 'changed', 0),
    (got) => got.popReceipt,
  )
  await check(
    'delete stale',
    () => queue(one).deleteMessage(again?.messageId ?? 'x', again?.popReceipt ?? 'y'),
    failsWith(400, 'PopReceiptMismatch'),
  )
  await check('delete message', () =>
    queue(one).deleteMessage(again?.messageId ?? 'x', changed?.popReceipt ?? 'y'),
  )
  await peek(one, 32, bodies.slice(2))
  await take(other, 1, [])
  await send(other, A ? 'mail' : 'event')
  await peek(other, 32, [A ? 'mail' : 'event'])
  await check('clear', () => queue(one).clearMessages())
  await peek(one, 32, [])
  await check('metadata', () => queue(one).setMetadata({ owner: A ? 'ann' : 'zoe' }))
  await check(
    'properties',
    () => queue(one).getProperties(),
    (got) => got.metadata.owner === (A ? 'ann' : 'zoe'),
  )
  await check(
    'no queue',
    () => queue(A ? 'nothing' : 'nowhere').getProperties(),
    failsWith(404, 'QueueNotFound'),
  )
  await check(
    'send to none',
    () => queue(A ? 'nothing' : 'nowhere').sendMessage('x'),
    failsWith(404, 'QueueNotFound'),
  )
  await check('delete', () => queue(other).delete())
  await check('delete none', () => queue(other).delete(), failsWith(404, 'QueueNotFound'))
  await queues([one])
}
