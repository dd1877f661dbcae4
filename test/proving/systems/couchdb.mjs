import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import nano from 'nano'
import { startServer } from '../server.ts'

// PouchDB behind the HTTP of CouchDB.
const { resolve } = createRequire(import.meta.url)
const SERVER = `
const [, , port, directory] = process.argv
const PouchDB = require(${JSON.stringify(resolve('pouchdb'))}).defaults({ prefix: directory + '/db-' })
const app = require(${JSON.stringify(resolve('express'))})()
const options = { mode: 'minimumForPouchDB', overrideMode: { include: ['routes/find'] } }
app.use('/', require(${JSON.stringify(resolve('express-pouchdb'))})(PouchDB, options))
app.listen(Number(port), '127.0.0.1')
`

export function start(directory) {
  const file = join(directory, 'server.cjs')
  writeFileSync(file, SERVER)
  return startServer(process.execPath, (port) => [file, String(port), directory], { cwd: directory })
}

const VALUES = {
  A: { ids: ['apple', 'berry', 'cherry', 'date', 'elder'], price: 3 },
  B: { ids: ['quill', 'paper', 'ink', 'stamp', 'wax'], price: 9 },
}

export async function session(base, which, check) {
  const { ids, price } = VALUES[which]
  const server = nano(base)
  const db = server.use('stock')
  const revisions = {}
  const failsWith = (status) => (_value, error) => error?.statusCode === status

  await check(
    'root',
    () => server.request({ path: '' }),
    ({ version }) => version !== undefined,
  )
  await check('no database', () => db.info(), failsWith(404))
  await check(
    'create database',
    () => server.db.create('stock'),
    ({ ok }) => ok,
  )
  await check('create database again', () => server.db.create('stock'), failsWith(412))
  for (const [at, id] of ids.entries()) {
    const made = await check(
      'insert',
      () => db.insert({ title: id.toUpperCase(), price: price + at, kind: at % 2 ? 'odd' : 'even' }, id),
      (answer) => {
        return answer.ok && answer.id === id && answer.rev.startsWith('1-')
      },
    )
    revisions[id] = made?.rev
  }
  for (const id of ids)
    await check(
      'get',
      () => db.get(id),
      (found) => found._id === id && found.title === id.toUpperCase() && found._rev === revisions[id],
    )
  await check('get none', () => db.get('nowhere'), failsWith(404))
  await check('conflict', () => db.insert({ title: 'x' }, ids[0]), failsWith(409))
  await check(
    'update',
    () => db.insert({ _rev: revisions[ids[0]], title: 'NEW', price: 1, kind: 'even' }, ids[0]),
    ({ rev }) => rev.startsWith('2-'),
  )
  await check(
    'get updated',
    () => db.get(ids[0]),
    ({ title }) => title === 'NEW',
  )
  await check(
    'list',
    () => db.list({ include_docs: true }),
    ({ total_rows: total, rows }) => total === 5 && rows.length === 5,
  )
  for (const skip of [0, 2, 4])
    await check(
      'page',
      () => db.list({ limit: 2, skip }),
      ({ rows }) => rows.length === (skip === 4 ? 1 : 2),
    )
  await check(
    'get by keys',
    () => db.fetch({ keys: ids.slice(0, 2) }),
    ({ rows }) => rows.length === 2 && rows[0].doc._id === ids[0],
  )
  await check(
    'find',
    () => db.find({ selector: { kind: 'odd' } }),
    ({ docs }) => docs.length === 2,
  )
  const both = ['one', 'two'].map((_id) => ({ _id, title: _id }))
  const inserted = await check(
    'insert many',
    () => db.bulk({ docs: both }),
    (answers) => answers.length === 2 && answers[0].ok,
  )
  await check(
    'changes',
    () => db.changes({ since: 0 }),
    ({ results }) => results.length === 7,
  )
  await check('attach', () =>
    db.attachment.insert('one', 'text.txt', Buffer.from(`text ${which}`), 'text/plain', {
      rev: inserted?.[0]?.rev,
    }),
  )
  await check(
    'get attachment',
    () => db.attachment.get('one', 'text.txt'),
    (bytes) => bytes.toString() === `text ${which}`,
  )
  await check(
    'delete',
    () => db.destroy(ids[1], revisions[ids[1]]),
    ({ ok }) => ok,
  )
  await check('get deleted', () => db.get(ids[1]), failsWith(404))
  await check(
    'info',
    () => db.info(),
    ({ doc_count: count }) => count === 6,
  )
  await check(
    'delete database',
    () => server.db.destroy('stock'),
    ({ ok }) => ok,
  )
}

/** Inserts documents that are the same for all clients, so that the server's ids alone distinguish them, and changes them. */
const client = (name) => async (base, check) => {
  const server = nano(base)
  await check('create shared', () => server.db.create('shared').catch(() => undefined))
  await check('create own', () => server.db.create(name))
  const shared = server.use('shared')
  for (const part of [1, 2, 3]) {
    const made = await check(
      'insert the same',
      () => shared.insert({ title: 'same' }),
      ({ ok }) => ok,
    )
    const title = `${name} ${part}`
    const changed = { _id: made?.id, _rev: made?.rev, title }
    const again = await check(
      'change',
      () => shared.insert(changed),
      ({ id }) => id === made?.id,
    )
    await check(
      'get changed',
      () => shared.get(made?.id),
      (found) => {
        return found.title === title && found._rev === again?.rev && found._id === made?.id
      },
    )
    await check('insert own', () => server.use(name).insert({ title }, title))
  }
  await check(
    'list own',
    () => server.use(name).list({ include_docs: true }),
    ({ rows }) => {
      return rows.length === 3 && rows.every(({ doc }) => doc.title.startsWith(name))
    },
  )
}

export const clients = [client('left'), client('middle'), client('right')]
