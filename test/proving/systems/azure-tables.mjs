import { AzureNamedKeyCredential, odata, TableClient, TableServiceClient } from '@azure/data-tables'
import { startServer } from '../server.ts'

// Azurite, the emulator of Azure Storage: npm install --global azurite. It has 290 packages of its own.
export const needs = ['azurite-table']
export const keepsHost = true

const ACCOUNT = 'devstoreaccount1'
const KEY = Buffer.from('a key of an emulator that checks none').toString('base64')

export async function start(directory) {
  const args = (port) => ['--tableHost', '127.0.0.1', '--tablePort', `${port}`, '--location', directory]
  const silent = ['--silent', '--disableTelemetry', '--skipApiVersionCheck', '--loose']
  return startServer('azurite-table', (port) => [...args(port), ...silent], {
    env: { AZURITE_ACCOUNTS: `${ACCOUNT}:${KEY}` },
  })
}

export async function session(base, which, check) {
  const credential = new AzureNamedKeyCredential(ACCOUNT, KEY)
  const options = { allowInsecureConnection: true, retryOptions: { maxRetries: 0 } }
  const url = `${base}/${ACCOUNT}`
  const service = new TableServiceClient(url, credential, options)
  const table = (name) => new TableClient(url, name, credential, options)
  await (which === 'A' ? sessionA : sessionB)(stepsOf(service, table, check))
}

const all = async (pages) => {
  const found = []
  for await (const each of pages) found.push(each)
  return found
}
const failsWith = (status, code) => (_v, error) =>
  error?.statusCode === status && (code === undefined || error.details?.odataError?.code === code)
const has = (item, wanted) => Object.entries(wanted).every(([k, v]) => item[k] === v)

function stepsOf(service, table, check) {
  return {
    tables: (names) =>
      check(
        'tables',
        () => all(service.listTables()),
        (found) =>
          found
            .map((t) => t.name)
            .toSorted()
            .join() === names.join(),
      ),
    createTable: (name) => check('create table', () => service.createTable(name)),
    deleteTable: (name) => check('delete table', () => service.deleteTable(name)),
    add: (name, entity) =>
      check(
        'add',
        () => table(name).createEntity(entity),
        (made) => made.etag,
      ),
    addAgain: (name, entity) =>
      check('add again', () => table(name).createEntity(entity), failsWith(409, 'EntityAlreadyExists')),
    get: (name, p, r, wanted) =>
      check(
        'get',
        () => table(name).getEntity(p, r),
        (item) =>
          item.partitionKey === p && item.rowKey === r && has(item, wanted) && item.etag && item.timestamp,
      ),
    getSelected: (name, p, r, select, wanted) =>
      check(
        'get selected',
        () => table(name).getEntity(p, r, { queryOptions: { select } }),
        (item) => has(item, wanted) && item.rowKey === undefined,
      ),
    getNone: (name, p, r) =>
      check('get none', () => table(name).getEntity(p, r), failsWith(404, 'ResourceNotFound')),
    inNoTable: (name) =>
      check('in no table', () => all(table(name).listEntities()), failsWith(404, 'TableNotFound')),
    list: (name, keys, filter) =>
      check(
        'list',
        () => all(table(name).listEntities(filter && { queryOptions: { filter } })),
        (found) => found.map((e) => `${e.partitionKey}/${e.rowKey}`).join() === keys.join(),
      ),
    page: (name, size, sizes) =>
      check(
        'page',
        async () => {
          const found = []
          for await (const page of table(name).listEntities().byPage({ maxPageSize: size }))
            found.push(page.length)
          return found
        },
        (found) => found.join() === sizes.join(),
      ),
    merge: (name, entity, etag) =>
      check('merge', () => table(name).updateEntity(entity, 'Merge', etag && { etag })),
    replace: (name, entity) => check('replace', () => table(name).updateEntity(entity, 'Replace')),
    mergeStale: (name, entity, etag) =>
      check(
        'merge stale',
        () => table(name).updateEntity(entity, 'Merge', { etag }),
        failsWith(412, 'UpdateConditionNotSatisfied'),
      ),
    mergeNone: (name, entity) =>
      check(
        'merge none',
        () => table(name).updateEntity(entity, 'Merge'),
        failsWith(404, 'ResourceNotFound'),
      ),
    upsert: (name, entity) =>
      check(
        'upsert',
        () => table(name).upsertEntity(entity, 'Replace'),
        (made) => made.etag,
      ),
    remove: (name, p, r) => check('remove', () => table(name).deleteEntity(p, r)),
    removeNone: (name, p, r) =>
      check('remove none', () => table(name).deleteEntity(p, r), failsWith(404, 'ResourceNotFound')),
  }
}

async function sessionA(s) {
  await s.tables([])
  await s.createTable('people')
  await s.createTable('orders')
  await s.tables(['orders', 'people'])
  const ann = await s.add('people', { partitionKey: 'eu', rowKey: '1', name: 'Ann', age: 30, active: true })
  await s.add('people', { partitionKey: 'eu', rowKey: '2', name: 'Bob', age: 41, active: false })
  await s.add('people', { partitionKey: 'us', rowKey: '1', name: 'Cyd', age: 25, active: true })
  await s.addAgain('people', { partitionKey: 'eu', rowKey: '1', name: 'Dan' })
  await s.get('people', 'eu', '1', { name: 'Ann', age: 30, active: true })
  await s.getSelected('people', 'eu', '2', ['name', 'age'], { name: 'Bob', age: 41 })
  await s.getNone('people', 'eu', '9')
  await s.list('people', ['eu/1', 'eu/2', 'us/1'])
  await s.list('people', ['eu/1', 'eu/2'], odata`PartitionKey eq ${'eu'}`)
  await s.list('people', ['eu/1', 'eu/2'], odata`age ge ${30}`)
  await s.list('people', ['us/1'], odata`PartitionKey eq ${'us'} and active eq ${true}`)
  await s.page('people', 2, [2, 1])
  await s.merge('people', { partitionKey: 'eu', rowKey: '2', city: 'Rome' })
  await s.get('people', 'eu', '2', { name: 'Bob', city: 'Rome', age: 41 })
  await s.merge('people', { partitionKey: 'eu', rowKey: '1', age: 31 }, ann?.etag)
  await s.mergeStale('people', { partitionKey: 'eu', rowKey: '1', age: 32 }, ann?.etag)
  await s.get('people', 'eu', '1', { name: 'Ann', age: 31 })
  await s.replace('people', { partitionKey: 'us', rowKey: '1', name: 'Cyd Two' })
  await s.get('people', 'us', '1', { name: 'Cyd Two', age: undefined })
  await s.mergeNone('people', { partitionKey: 'us', rowKey: '7', age: 2 })
  await s.upsert('people', { partitionKey: 'us', rowKey: '2', name: 'Eve', age: 50 })
  await s.upsert('people', { partitionKey: 'us', rowKey: '1', name: 'Cyd Three', age: 26 })
  await s.get('people', 'us', '1', { name: 'Cyd Three', age: 26 })
  await s.list('people', ['eu/1', 'eu/2', 'us/1', 'us/2'])
  await s.remove('people', 'eu', '2')
  await s.removeNone('people', 'eu', '2')
  await s.getNone('people', 'eu', '2')
  await s.list('people', ['eu/1', 'us/1', 'us/2'])
  await s.list('orders', [])
  await s.add('orders', { partitionKey: 'may', rowKey: 'a-1', total: 12.5, note: 'first' })
  await s.get('orders', 'may', 'a-1', { total: 12.5, note: 'first' })
  await s.deleteTable('orders')
  await s.inNoTable('orders')
  await s.tables(['people'])
}

async function sessionB(s) {
  await s.tables([])
  await s.createTable('devices')
  await s.tables(['devices'])
  await s.inNoTable('people')
  const one = await s.add('devices', {
    partitionKey: 'lab',
    rowKey: 'x1',
    name: 'Scope',
    watts: 40,
    on: true,
  })
  await s.add('devices', { partitionKey: 'lab', rowKey: 'x2', name: 'Meter', watts: 5, on: false })
  await s.add('devices', { partitionKey: 'yard', rowKey: 'y1', name: 'Drill', watts: 700, on: true })
  await s.add('devices', { partitionKey: 'yard', rowKey: 'y2', name: 'Saw', watts: 900, on: false })
  await s.addAgain('devices', { partitionKey: 'yard', rowKey: 'y2', name: 'Other' })
  await s.get('devices', 'lab', 'x1', { name: 'Scope', watts: 40, on: true })
  await s.getNone('devices', 'lab', 'zz')
  await s.list('devices', ['lab/x1', 'lab/x2', 'yard/y1', 'yard/y2'])
  await s.list('devices', ['yard/y1', 'yard/y2'], odata`PartitionKey eq ${'yard'}`)
  await s.list('devices', ['lab/x1', 'yard/y1', 'yard/y2'], odata`watts ge ${40}`)
  await s.list('devices', ['yard/y1'], odata`PartitionKey eq ${'yard'} and on eq ${true}`)
  await s.page('devices', 3, [3, 1])
  await s.getSelected('devices', 'yard', 'y1', ['name'], { name: 'Drill' })
  await s.merge('devices', { partitionKey: 'lab', rowKey: 'x1', place: 'shelf' }, one?.etag)
  await s.mergeStale('devices', { partitionKey: 'lab', rowKey: 'x1', place: 'desk' }, one?.etag)
  await s.get('devices', 'lab', 'x1', { name: 'Scope', place: 'shelf' })
  await s.replace('devices', { partitionKey: 'lab', rowKey: 'x2', name: 'Meter 2' })
  await s.get('devices', 'lab', 'x2', { name: 'Meter 2', watts: undefined })
  await s.upsert('devices', { partitionKey: 'attic', rowKey: 'z', name: 'Fan', watts: 60 })
  await s.get('devices', 'attic', 'z', { name: 'Fan', watts: 60 })
  await s.mergeNone('devices', { partitionKey: 'attic', rowKey: 'q', watts: 2 })
  await s.remove('devices', 'yard', 'y2')
  await s.getNone('devices', 'yard', 'y2')
  await s.removeNone('devices', 'yard', 'y2')
  await s.list('devices', ['attic/z', 'lab/x1', 'lab/x2', 'yard/y1'])
  await s.createTable('logs')
  await s.tables(['devices', 'logs'])
  await s.list('logs', [])
  await s.deleteTable('devices')
  await s.inNoTable('devices')
  await s.tables(['logs'])
}
