import { CosmosClient } from '@azure/cosmos'
import { startServer } from '../server.ts'

// Stands for Azure's Cosmos DB: npm install --global @vercel/cosmosdb-server. It has 400 packages of its own.
export const needs = ['cosmosdb-server']

const KEY = Buffer.from('a key of an emulator that checks none').toString('base64')

export const keepsHost = true
export const short = {
  'held out':
    'queries in SQL are answered as the recorded ones were, and a header that lets a POST replace is not learned',
  checks: 'likewise',
  'by rule': 'queries in SQL are a third of its requests',
  drift: 'items of two containers have no field in common',
}

export function start() {
  return startServer('cosmosdb-server', (port) => ['--port', String(port), '--no-ssl'])
}

const failsWith = (code) => (_v, error) => error?.code === code
const ids = (found) => found.resources.map((each) => each.id).join()
const has = (item, wanted) => Object.entries(wanted).every(([k, v]) => item[k] === v)

export async function session(base, which, check) {
  const client = new CosmosClient({
    endpoint: base,
    key: KEY,
    connectionPolicy: { enableEndpointDiscovery: false, retryOptions: { maxRetryAttemptCount: 0 } },
  })
  try {
    await (which === 'A' ? sessionA : sessionB)(stepsOf(client, check))
  } finally {
    client.dispose()
  }
}

function stepsOf(client, check) {
  const of = (db, name) => client.database(db).container(name)
  return {
    databases: (wanted) =>
      check(
        'databases',
        () => client.databases.readAll().fetchAll(),
        (found) => ids(found) === wanted.join(),
      ),
    createDatabase: (id) =>
      check(
        'create database',
        () => client.databases.create({ id }),
        (made) => made.resource.id === id && made.statusCode === 201,
      ),
    createDatabaseAgain: (id) =>
      check('create database again', () => client.databases.create({ id }), failsWith(409)),
    createContainer: (db, id, key) =>
      check(
        'create container',
        () => client.database(db).containers.create({ id, partitionKey: { paths: [key] } }),
        (made) => made.resource.id === id && made.resource.partitionKey.paths[0] === key,
      ),
    containers: (db, wanted) =>
      check(
        'containers',
        () => client.database(db).containers.readAll().fetchAll(),
        (found) => ids(found) === wanted.join(),
      ),
    add: (db, name, item) =>
      check(
        'add',
        () => of(db, name).items.create(item),
        (made) => has(made.resource, item) && made.resource._etag,
      ),
    addAgain: (db, name, item) => check('add again', () => of(db, name).items.create(item), failsWith(409)),
    get: (db, name, id, key, wanted) =>
      check(
        'get',
        () => of(db, name).item(id, key).read(),
        (got) => has(got.resource, wanted),
      ),
    getNone: (db, name, id, key) =>
      check(
        'get none',
        () => of(db, name).item(id, key).read(),
        (got) => got.statusCode === 404,
      ),
    replace: (db, name, id, key, item) =>
      check(
        'replace',
        () => of(db, name).item(id, key).replace(item),
        (got) => has(got.resource, item),
      ),
    replaceIf: (db, name, id, key, item, etag, wanted) =>
      check(
        wanted === 200 ? 'replace if' : 'replace stale',
        () =>
          of(db, name)
            .item(id, key)
            .replace(item, { accessCondition: { type: 'IfMatch', condition: etag } }),
        (got, error) => (wanted === 200 ? has(got.resource, item) : error?.code === wanted),
      ),
    upsert: (db, name, item) =>
      check(
        'upsert',
        () => of(db, name).items.upsert(item),
        (got) => has(got.resource, item),
      ),
    remove: (db, name, id, key) =>
      check(
        'remove',
        () => of(db, name).item(id, key).delete(),
        (got) => got.statusCode === 204,
      ),
    removeNone: (db, name, id, key) =>
      check('remove none', () => of(db, name).item(id, key).delete(), failsWith(404)),
    list: (db, name, wanted) =>
      check(
        'list',
        () => of(db, name).items.readAll().fetchAll(),
        (found) => ids(found) === wanted.join(),
      ),
    query: (db, name, query, parameters, wanted) =>
      check(
        'query',
        () =>
          of(db, name)
            .items.query({
              query,
              parameters: Object.entries(parameters).map(([k, value]) => ({ name: `@${k}`, value })),
            })
            .fetchAll(),
        (found) => ids(found) === wanted.join(),
      ),
    removeContainer: (db, name) =>
      check(
        'remove container',
        () => of(db, name).delete(),
        (got) => got.statusCode === 204,
      ),
    readContainer: (db, name) =>
      check(
        'read container',
        () => of(db, name).read(),
        (got) => got.resource.id === name && got.statusCode === 200,
      ),
  }
}

async function sessionA(s) {
  await s.databases([])
  await s.createDatabase('shop')
  await s.createDatabaseAgain('shop')
  await s.databases(['shop'])
  await s.createContainer('shop', 'items', '/kind')
  await s.createContainer('shop', 'orders', '/customer')
  await s.containers('shop', ['items', 'orders'])
  await s.readContainer('shop', 'items')
  const pen = await s.add('shop', 'items', { id: 'i1', kind: 'pen', price: 3, stocked: true })
  await s.add('shop', 'items', { id: 'i2', kind: 'pen', price: 7, stocked: false })
  await s.add('shop', 'items', { id: 'i3', kind: 'cup', price: 9, stocked: true })
  await s.add('shop', 'orders', { id: 'o1', customer: 'ann', total: 10 })
  await s.addAgain('shop', 'items', { id: 'i1', kind: 'pen', price: 4, stocked: true })
  await s.get('shop', 'items', 'i1', 'pen', { price: 3, stocked: true })
  await s.get('shop', 'items', 'i3', 'cup', { price: 9 })
  await s.getNone('shop', 'items', 'i9', 'pen')
  await s.list('shop', 'items', ['i1', 'i2', 'i3'])
  await s.list('shop', 'orders', ['o1'])
  await s.query('shop', 'items', 'SELECT * FROM c WHERE c.kind = @kind', { kind: 'pen' }, ['i1', 'i2'])
  await s.query('shop', 'items', 'SELECT * FROM c WHERE c.kind = @kind', { kind: 'cup' }, ['i3'])
  await s.replace('shop', 'items', 'i2', 'pen', { id: 'i2', kind: 'pen', price: 8, stocked: true })
  await s.get('shop', 'items', 'i2', 'pen', { price: 8, stocked: true })
  await s.replaceIf(
    'shop',
    'items',
    'i1',
    'pen',
    { id: 'i1', kind: 'pen', price: 5, stocked: true },
    pen?.resource._etag,
    200,
  )
  await s.replaceIf(
    'shop',
    'items',
    'i1',
    'pen',
    { id: 'i1', kind: 'pen', price: 6, stocked: true },
    pen?.resource._etag,
    412,
  )
  await s.get('shop', 'items', 'i1', 'pen', { price: 5 })
  await s.upsert('shop', 'items', { id: 'i3', kind: 'cup', price: 11, stocked: true })
  await s.upsert('shop', 'items', { id: 'i4', kind: 'mug', price: 2, stocked: true })
  await s.list('shop', 'items', ['i1', 'i2', 'i3', 'i4'])
  await s.remove('shop', 'items', 'i2', 'pen')
  await s.removeNone('shop', 'items', 'i2', 'pen')
  await s.getNone('shop', 'items', 'i2', 'pen')
  await s.list('shop', 'items', ['i1', 'i3', 'i4'])
  await s.query('shop', 'items', 'SELECT * FROM c WHERE c.kind = @kind', { kind: 'pen' }, ['i1'])
  await s.removeContainer('shop', 'orders')
  await s.containers('shop', ['items'])
}

async function sessionB(s) {
  await s.databases([])
  await s.createDatabase('library')
  await s.databases(['library'])
  await s.createContainer('library', 'books', '/genre')
  await s.readContainer('library', 'books')
  await s.containers('library', ['books'])
  await s.add('library', 'books', { id: 'b1', genre: 'novel', pages: 320, lent: false })
  const two = await s.add('library', 'books', { id: 'b2', genre: 'essay', pages: 120, lent: true })
  await s.list('library', 'books', ['b1', 'b2'])
  await s.add('library', 'books', { id: 'b3', genre: 'novel', pages: 80, lent: true })
  await s.addAgain('library', 'books', { id: 'b3', genre: 'novel', pages: 81, lent: true })
  await s.createDatabaseAgain('library')
  await s.get('library', 'books', 'b2', 'essay', { pages: 120, lent: true })
  await s.query('library', 'books', 'SELECT * FROM c WHERE c.kind = @kind', { kind: 'essay' }, [])
  await s.query('library', 'books', 'SELECT * FROM c WHERE c.genre = @genre', { genre: 'novel' }, [
    'b1',
    'b3',
  ])
  await s.createContainer('library', 'readers', '/city')
  await s.add('library', 'readers', { id: 'r1', city: 'Rome', age: 30 })
  await s.add('library', 'readers', { id: 'r2', city: 'Bonn', age: 41 })
  await s.list('library', 'readers', ['r1', 'r2'])
  await s.getNone('library', 'readers', 'r5', 'Oslo')
  await s.replaceIf(
    'library',
    'books',
    'b2',
    'essay',
    { id: 'b2', genre: 'essay', pages: 121, lent: false },
    two?.resource._etag,
    200,
  )
  await s.replaceIf(
    'library',
    'books',
    'b2',
    'essay',
    { id: 'b2', genre: 'essay', pages: 122, lent: false },
    two?.resource._etag,
    412,
  )
  await s.get('library', 'books', 'b2', 'essay', { pages: 121 })
  await s.replace('library', 'readers', 'r1', 'Rome', { id: 'r1', city: 'Rome', age: 31 })
  await s.get('library', 'readers', 'r1', 'Rome', { age: 31 })
  await s.upsert('library', 'readers', { id: 'r3', city: 'Oslo', age: 20 })
  await s.upsert('library', 'readers', { id: 'r3', city: 'Oslo', age: 21 })
  await s.get('library', 'readers', 'r3', 'Oslo', { age: 21 })
  await s.remove('library', 'readers', 'r1', 'Rome')
  await s.removeNone('library', 'readers', 'r1', 'Rome')
  await s.list('library', 'readers', ['r2', 'r3'])
  await s.containers('library', ['books', 'readers'])
  await s.removeContainer('library', 'books')
  await s.containers('library', ['readers'])
}
