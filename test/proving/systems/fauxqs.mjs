import { createRequire } from 'node:module'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { startFauxqs } from 'fauxqs'

const require = createRequire(import.meta.url)
const sns = require('@aws-sdk/client-sns')
const sqs = require('@aws-sdk/client-sqs')

const MESSAGES =
  'messages are received and hidden for a while, lists have names alone, and answers have hashes'
export const short = { 'held out': MESSAGES, checks: MESSAGES, 'by rule': MESSAGES }

export async function start() {
  const server = await startFauxqs({ port: 0, logger: false })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop() }
}

export const isMap = (pointer) => /\/(Tags|MessageAttributes)$/.test(pointer)

const ACCOUNT = '000000000000'
const REGION = 'eu-west-1'

/** The SDK's clients of both services, by their commands' names. */
function createClients(base) {
  const options = {
    endpoint: base,
    region: REGION,
    credentials: {
      accessKeyId: 'AKIAEXAMPLEEXAMPLE00',
      secretAccessKey: 'example/example/example/example/example0',
    },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  }
  const topics = new sns.SNSClient(options)
  const queues = new sqs.SQSClient({ ...options, useQueueUrlAsEndpoint: false })
  return {
    q: (name, input = {}) => queues.send(new sqs[`${name}Command`](input)),
    t: (name, input = {}) => topics.send(new sns[`${name}Command`](input)),
  }
}

const failsWith = (name) => (_value, error) => error?.name === name
const topicArn = (name) => `arn:aws:sns:${REGION}:${ACCOUNT}:${name}`
const queueArn = (name) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`
const areThose = (found, wanted) => found.toSorted().join() === wanted.join()
const lastOf = (url) => url.split('/').at(-1)
const arnOf = ({ TopicArn }) => TopicArn
const endpointOf = ({ Endpoint }) => Endpoint

export async function session(base, which, check) {
  const { q, t } = createClients(base)
  await (which === 'A' ? sessionA : sessionB)(stepsOf(q, t, check))
}

function stepsOf(q, t, check) {
  return {
    createQueue: async (QueueName, Attributes, tags) =>
      (
        await check(
          'create queue',
          () => q('CreateQueue', { QueueName, Attributes, tags }),
          ({ QueueUrl }) => QueueUrl.endsWith(`/${QueueName}`),
        )
      )?.QueueUrl,
    queueUrl: (QueueName) =>
      check(
        'queue url',
        () => q('GetQueueUrl', { QueueName }),
        ({ QueueUrl }) => QueueUrl.endsWith(`/${QueueName}`),
      ),
    noQueueUrl: (QueueName) =>
      check('no queue url', () => q('GetQueueUrl', { QueueName }), failsWith('QueueDoesNotExist')),
    queues: (names, QueueNamePrefix) =>
      check(
        'queues',
        () => q('ListQueues', { QueueNamePrefix }),
        ({ QueueUrls = [] }) => areThose(QueueUrls.map(lastOf), names),
      ),
    queueAttributes: (QueueUrl, wanted) =>
      check(
        'queue attributes',
        () => q('GetQueueAttributes', { QueueUrl, AttributeNames: ['All'] }),
        ({ Attributes }) => Object.entries(wanted).every(([name, value]) => Attributes[name] === value),
      ),
    setQueueAttributes: (QueueUrl, Attributes) =>
      check('set queue attributes', () => q('SetQueueAttributes', { QueueUrl, Attributes })),
    sendMessage: (QueueUrl, MessageBody, more = {}) =>
      check(
        'send',
        () => q('SendMessage', { QueueUrl, MessageBody, ...more }),
        ({ MessageId }) => MessageId,
      ),
    sendBatch: (QueueUrl, bodies) =>
      check(
        'send batch',
        () =>
          q('SendMessageBatch', {
            QueueUrl,
            Entries: bodies.map((MessageBody, at) => ({ Id: `m${at}`, MessageBody })),
          }),
        ({ Successful }) => Successful.map(({ Id }) => Id).join() === bodies.map((_, at) => `m${at}`).join(),
      ),
    receive: async (QueueUrl, bodies, MaxNumberOfMessages = 10) =>
      (
        await check(
          'receive',
          () => q('ReceiveMessage', { QueueUrl, MaxNumberOfMessages, VisibilityTimeout: 600 }),
          ({ Messages = [] }) => Messages.map(({ Body }) => Body).join() === bodies.join(),
        )
      )?.Messages ?? [],
    receiveNone: (QueueUrl) =>
      check(
        'receive none',
        () => q('ReceiveMessage', { QueueUrl }),
        ({ Messages }) => Messages === undefined || Messages.length === 0,
      ),
    deleteMessage: (QueueUrl, message) =>
      check('delete message', () =>
        q('DeleteMessage', { QueueUrl, ReceiptHandle: message?.ReceiptHandle ?? 'none' }),
      ),
    release: (QueueUrl, message) =>
      check('release', () =>
        q('ChangeMessageVisibility', {
          ...{ QueueUrl, VisibilityTimeout: 0 },
          ReceiptHandle: message?.ReceiptHandle ?? 'none',
        }),
      ),
    purge: (QueueUrl) => check('purge', () => q('PurgeQueue', { QueueUrl })),
    tagQueue: (QueueUrl, Tags) => check('tag queue', () => q('TagQueue', { QueueUrl, Tags })),
    queueTags: (QueueUrl, wanted) =>
      check(
        'queue tags',
        () => q('ListQueueTags', { QueueUrl }),
        ({ Tags = {} }) => JSON.stringify(Tags) === JSON.stringify(wanted),
      ),
    deleteQueue: (QueueUrl) => check('delete queue', () => q('DeleteQueue', { QueueUrl })),
    sendToNone: (QueueUrl) =>
      check(
        'send to none',
        () => q('SendMessage', { QueueUrl, MessageBody: 'x' }),
        failsWith('QueueDoesNotExist'),
      ),
    createTopic: (Name, Tags) =>
      check(
        'create topic',
        () => t('CreateTopic', { Name, Tags }),
        ({ TopicArn }) => TopicArn === topicArn(Name),
      ),
    topics: (names) =>
      check(
        'topics',
        () => t('ListTopics'),
        ({ Topics = [] }) => areThose(Topics.map(arnOf), names.map(topicArn)),
      ),
    topicAttributes: (name, wanted) =>
      check(
        'topic attributes',
        () => t('GetTopicAttributes', { TopicArn: topicArn(name) }),
        ({ Attributes }) => Object.entries(wanted).every(([key, value]) => Attributes[key] === value),
      ),
    noTopic: (name) =>
      check(
        'no topic',
        () => t('GetTopicAttributes', { TopicArn: topicArn(name) }),
        failsWith('NotFoundException'),
      ),
    setTopicAttribute: (name, AttributeName, AttributeValue) =>
      check('set topic attribute', () =>
        t('SetTopicAttributes', { TopicArn: topicArn(name), AttributeName, AttributeValue }),
      ),
    subscribe: async (topic, queue, Attributes = { RawMessageDelivery: 'true' }) =>
      (
        await check(
          'subscribe',
          () =>
            t('Subscribe', {
              ...{ TopicArn: topicArn(topic), Protocol: 'sqs', Endpoint: queueArn(queue) },
              ...{ Attributes, ReturnSubscriptionArn: true },
            }),
          ({ SubscriptionArn }) => SubscriptionArn.startsWith(`${topicArn(topic)}:`),
        )
      )?.SubscriptionArn,
    subscribeToNone: (topic, queue) =>
      check(
        'subscribe to none',
        () => t('Subscribe', { TopicArn: topicArn(topic), Protocol: 'sqs', Endpoint: queueArn(queue) }),
        failsWith('NotFoundException'),
      ),
    subscriptions: (topic, queues) =>
      check(
        'subscriptions',
        () => t('ListSubscriptionsByTopic', { TopicArn: topicArn(topic) }),
        ({ Subscriptions = [] }) => areThose(Subscriptions.map(endpointOf), queues.map(queueArn)),
      ),
    subscription: (SubscriptionArn, queue) =>
      check(
        'subscription',
        () => t('GetSubscriptionAttributes', { SubscriptionArn }),
        ({ Attributes }) =>
          Attributes.Endpoint === queueArn(queue) && Attributes.SubscriptionArn === SubscriptionArn,
      ),
    unsubscribe: (SubscriptionArn) => check('unsubscribe', () => t('Unsubscribe', { SubscriptionArn })),
    publish: (topic, Message, more = {}) =>
      check(
        'publish',
        () => t('Publish', { TopicArn: topicArn(topic), Message, ...more }),
        ({ MessageId }) => MessageId,
      ),
    tagTopic: (topic, Tags) =>
      check('tag topic', () => t('TagResource', { ResourceArn: topicArn(topic), Tags })),
    topicTags: (topic, wanted) =>
      check(
        'topic tags',
        () => t('ListTagsForResource', { ResourceArn: topicArn(topic) }),
        ({ Tags = [] }) => Tags.map(({ Key, Value }) => `${Key}=${Value}`).join() === wanted.join(),
      ),
    deleteTopic: (name) => check('delete topic', () => t('DeleteTopic', { TopicArn: topicArn(name) })),
  }
}

async function sessionA(s) {
  await s.queues([])
  const orders = await s.createQueue('orders', { VisibilityTimeout: '45' })
  const dead = await s.createQueue('orders-dead')
  const mails = await s.createQueue('mails', { DelaySeconds: '0' }, { team: 'post' })
  await s.queueUrl('orders')
  await s.noQueueUrl('nothing')
  await s.queues(['mails', 'orders', 'orders-dead'])
  await s.queues(['orders', 'orders-dead'], 'orders')
  await s.queueAttributes(orders, { VisibilityTimeout: '45', QueueArn: queueArn('orders') })
  await s.setQueueAttributes(dead, { MessageRetentionPeriod: '1209600' })
  await s.queueAttributes(dead, { MessageRetentionPeriod: '1209600' })
  await s.sendMessage(orders, 'order 1')
  await s.sendMessage(orders, '{"order":2}')
  await s.queueAttributes(orders, { ApproximateNumberOfMessages: '2' })
  const [first, second] = await s.receive(orders, ['order 1', '{"order":2}'])
  await s.deleteMessage(orders, first)
  await s.release(orders, second)
  await s.receive(orders, ['{"order":2}'], 1)
  await s.receiveNone(orders)
  await s.sendBatch(mails, ['to ann', 'to bob', 'to cyd'])
  const got = await s.receive(mails, ['to ann', 'to bob'], 2)
  for (const each of got) await s.deleteMessage(mails, each)
  await s.purge(mails)
  await s.receiveNone(mails)
  await s.queueTags(mails, { team: 'post' })
  await s.tagQueue(orders, { env: 'test' })
  await s.queueTags(orders, { env: 'test' })
  await s.topics([])
  await s.createTopic('sales')
  await s.createTopic('alerts', [{ Key: 'level', Value: 'high' }])
  await s.topics(['alerts', 'sales'])
  await s.topicAttributes('sales', { TopicArn: topicArn('sales'), SubscriptionsConfirmed: '0' })
  await s.noTopic('nothing')
  const one = await s.subscribe('sales', 'orders')
  const two = await s.subscribe('sales', 'mails')
  await s.subscribe('alerts', 'mails')
  await s.subscribeToNone('nothing', 'mails')
  await s.subscriptions('sales', ['mails', 'orders'])
  await s.subscription(one, 'orders')
  await s.publish('sales', 'sold')
  await s.receive(mails, ['sold'])
  await s.publish('alerts', 'fire', { Subject: 'now' })
  await s.receive(mails, ['fire'])
  await s.setTopicAttribute('sales', 'DisplayName', 'Sales')
  await s.topicAttributes('sales', { DisplayName: 'Sales' })
  await s.topicTags('alerts', ['level=high'])
  await s.tagTopic('sales', [{ Key: 'unit', Value: 'eu' }])
  await s.topicTags('sales', ['unit=eu'])
  await s.unsubscribe(two)
  await s.subscriptions('sales', ['orders'])
  await s.deleteTopic('alerts')
  await s.noTopic('alerts')
  await s.topics(['sales'])
  await s.deleteQueue(dead)
  await s.noQueueUrl('orders-dead')
  await s.sendToNone(dead)
  await s.queues(['mails', 'orders'])
}

async function sessionB(s) {
  await s.topics([])
  await s.createTopic('news')
  const inbox = await s.createQueue('inbox')
  const audit = await s.createQueue('audit', { VisibilityTimeout: '90', MessageRetentionPeriod: '3600' })
  await s.topicAttributes('news', { TopicArn: topicArn('news') })
  const sub = await s.subscribe('news', 'inbox')
  const other = await s.subscribe('news', 'audit')
  await s.subscriptions('news', ['audit', 'inbox'])
  await s.publish('news', 'hello all')
  const [hello] = await s.receive(inbox, ['hello all'])
  await s.deleteMessage(inbox, hello)
  await s.receiveNone(inbox)
  await s.receive(audit, ['hello all'], 5)
  await s.subscription(other, 'audit')
  await s.unsubscribe(sub)
  await s.subscriptions('news', ['audit'])
  await s.queueAttributes(audit, { VisibilityTimeout: '90', MessageRetentionPeriod: '3600' })
  await s.setQueueAttributes(inbox, { VisibilityTimeout: '12' })
  await s.queueAttributes(inbox, { VisibilityTimeout: '12', ApproximateNumberOfMessages: '0' })
  await s.queues(['audit', 'inbox'])
  await s.queues(['audit'], 'au')
  await s.queueUrl('inbox')
  await s.noQueueUrl('outbox')
  await s.sendBatch(inbox, ['a', 'b'])
  await s.sendMessage(inbox, 'c')
  const all = await s.receive(inbox, ['a', 'b', 'c'])
  await s.deleteMessage(inbox, all[1])
  await s.release(inbox, all[0])
  await s.receive(inbox, ['a'])
  await s.tagQueue(audit, { owner: 'sec', env: 'prod' })
  await s.queueTags(audit, { owner: 'sec', env: 'prod' })
  await s.purge(audit)
  await s.createTopic('events', [{ Key: 'level', Value: 'low' }])
  await s.topicTags('events', ['level=low'])
  await s.tagTopic('news', [{ Key: 'kind', Value: 'public' }])
  await s.topicTags('news', ['kind=public'])
  await s.setTopicAttribute('events', 'DisplayName', 'Events')
  await s.topicAttributes('events', { DisplayName: 'Events' })
  await s.topics(['events', 'news'])
  await s.noTopic('rumours')
  await s.subscribeToNone('rumours', 'inbox')
  await s.deleteTopic('news')
  await s.topics(['events'])
  await s.noTopic('news')
  await s.deleteQueue(inbox)
  await s.sendToNone(inbox)
  await s.noQueueUrl('inbox')
  await s.queues(['audit'])
}
