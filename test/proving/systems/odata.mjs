import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import odataQuery from 'odata-query'
import { jsonClient, startServer } from '../server.ts'

const PACKAGES = join(import.meta.dirname, '../node_modules')
const buildQuery = odataQuery.default ?? odataQuery

// The books of SAP's sample app for CAP.
const SCHEMA = `namespace sap.capire.bookshop;
entity Books {
  key ID : Integer; title : String(111); descr : String(1111); author : Association to Authors;
  stock : Integer; price : Decimal(9,2); currency : String(3);
}
entity Authors {
  key ID : Integer; name : String(111) @mandatory; dateOfBirth : Date; placeOfBirth : String;
  books : Association to many Books on books.author = $self;
}
`
const SERVICE = `using { sap.capire.bookshop as my } from '../db/schema';
service AdminService @(path: '/odata/v4/admin') {
  entity Books as projection on my.Books;
  entity Authors as projection on my.Authors;
}
`
const AUTHORS = `ID,name,dateOfBirth,placeOfBirth
101,Emily Brontë,1818-07-30,"Thornton, Yorkshire"
107,Charlotte Brontë,1818-04-21,"Thornton, Yorkshire"
150,Edgar Allen Poe,1809-01-19,"Boston, Massachusetts"
170,Richard Carpenter,1929-08-14,"King’s Lynn, Norfolk"
`
const BOOKS = `ID,title,descr,author_ID,stock,price,currency
201,Wuthering Heights,A novel of the moors,101,12,11.11,GBP
207,Jane Eyre,The story of a governess,107,11,12.34,GBP
251,The Raven,A poem,150,333,13.13,USD
252,Eleonora,A short story,150,555,14.00,USD
271,Catweazle,A wizard in the wrong time,170,22,150.00,JPY
`

export function start(directory) {
  const write = (name, text) => writeFileSync(join(directory, name), text)
  for (const name of ['db/data', 'srv']) mkdirSync(join(directory, name), { recursive: true })
  write('db/schema.cds', SCHEMA)
  write('srv/admin.cds', SERVICE)
  write('db/data/sap.capire.bookshop-Authors.csv', AUTHORS)
  write('db/data/sap.capire.bookshop-Books.csv', BOOKS)
  const db = { kind: 'sqlite', credentials: { url: ':memory:' } }
  write('package.json', JSON.stringify({ name: 'bookshop', cds: { requires: { db } } }))
  symlinkSync(PACKAGES, join(directory, 'node_modules'))
  return startServer(
    process.execPath,
    (port) => [join(PACKAGES, '@sap/cds/bin/serve.js'), 'all', '--in-memory', '--port', String(port)],
    { cwd: directory, isUp: async (url) => (await fetch(`${url}/odata/v4/admin`)).ok },
  )
}

export async function session(base, which, check) {
  const c = jsonClient(`${base}/odata/v4/admin`)
  const read = (path, query = {}) => c('GET', path + buildQuery(query))
  const v =
    which === 'A'
      ? {
          ...{
            books: [301, 302, 303],
            author: 201,
            name: 'Mary Shelley',
            word: 'Frank',
            no: 999,
            none: 'zzz',
          },
          ...{ stock: 20, price: 12, top: 2, ids: [201, 252], authors: [101, 150], cheap: 'GBP' },
        }
      : {
          ...{ books: [401, 402], author: 301, name: 'Bram Stoker', word: 'Drac', no: 777, none: 'qqq' },
          ...{ stock: 300, price: 13.5, top: 3, ids: [207, 271], authors: [107, 170], cheap: 'USD' },
        }
  const list = ({ s, b }) => s === 200 && b['@odata.context'].startsWith('$metadata#') && b.value
  await check(
    'service',
    () => read('/'),
    (r) => list(r).some(({ name }) => name === 'Books'),
  )
  await check(
    'metadata',
    () => read('/$metadata'),
    ({ s, b }) => s === 200 && b.includes('<EntityType Name="Books">'),
  )
  await check(
    'books',
    () => read('/Books'),
    (r) => list(r).length === 5,
  )
  for (const id of v.ids)
    await check(
      'book',
      () => read(`/Books(${id})`),
      ({ s, b }) => s === 200 && b.ID === id && b.title,
    )
  for (const id of v.authors)
    await check(
      'author with books',
      () => read(`/Authors(${id})`, { expand: 'books' }),
      ({ b }) => b.ID === id && b.books.length > 0 && b.books.every(({ author_ID }) => author_ID === id),
    )
  for (const most of [v.stock, v.stock + 5])
    await check(
      'filter by number',
      () => read('/Books', { filter: { stock: { lt: most } } }),
      (r) => list(r).length > 0 && list(r).every(({ stock }) => stock < most),
    )
  await check(
    'filter by text',
    () => read('/Books', { filter: { currency: v.cheap } }),
    (r) => list(r).length === 2 && list(r).every(({ currency }) => currency === v.cheap),
  )
  await check(
    'filter by two',
    () => read('/Books', { filter: { and: [{ price: { gt: v.price } }, { currency: 'USD' }] } }),
    (r) => list(r).length > 0 && list(r).every((each) => each.price > v.price && each.currency === 'USD'),
  )
  await check(
    'filter none',
    () => read('/Books', { filter: { title: v.none } }),
    (r) => list(r).length === 0,
  )
  await check(
    'search in text',
    () => read('/Books', { filter: { title: { contains: which === 'A' ? 'Raven' : 'Eyre' } } }),
    (r) => list(r).length === 1,
  )
  await check(
    'page',
    () => read('/Books', { top: v.top, count: true, orderBy: 'title' }),
    (r) => list(r).length === v.top && r.b['@odata.count'] === 5 && list(r)[0].title === 'Catweazle',
  )
  await check(
    'next page',
    () => read('/Books', { top: v.top, skip: v.top, count: true, orderBy: 'title' }),
    (r) => list(r).length === Math.min(v.top, 5 - v.top) && r.b['@odata.count'] === 5,
  )
  await check(
    'order down',
    () => read('/Books', { orderBy: ['price desc'] }),
    (r) => list(r)[0].ID === 271,
  )
  await check(
    'select',
    () => read('/Books', { select: which === 'A' ? ['ID', 'title'] : ['ID', 'price'] }),
    (r) => Object.keys(list(r)[0]).length === 2,
  )
  await check(
    'select and expand',
    () => read('/Books', { select: ['title'], expand: { author: { select: ['name'] } }, top: v.top }),
    (r) =>
      list(r).length === v.top && list(r).every(({ author, stock }) => author.name && stock === undefined),
  )
  await check(
    'count',
    () => read('/Books/$count'),
    ({ s, b }) => s === 200 && Number(b) === 5,
  )
  for (const id of v.authors)
    await check(
      'books of author',
      () => read(`/Authors(${id})/books`),
      (r) => list(r).length > 0 && list(r).every(({ author_ID }) => author_ID === id),
    )
  await check(
    'property',
    () => read(`/Books(${v.ids[0]})/title`),
    ({ s, b }) => s === 200 && b.value,
  )
  await check(
    'create author',
    () => c('POST', '/Authors', { ID: v.author, name: v.name, dateOfBirth: '1850-01-02' }),
    ({ s, b, h }) => s === 201 && b.name === v.name && h.get('location') === `Authors(${v.author})`,
  )
  for (const [at, id] of v.books.entries())
    await check(
      'create book',
      () =>
        c('POST', '/Books', {
          ID: id,
          title: `${v.word} ${at}`,
          author_ID: v.author,
          stock: at,
          price: 5.5 + at,
        }),
      ({ s, b }) => s === 201 && b.ID === id && b.title === `${v.word} ${at}` && b.descr === null,
    )
  for (const id of v.books)
    await check(
      'read created',
      () => read(`/Books(${id})`, { expand: 'author' }),
      ({ s, b }) => s === 200 && b.ID === id && b.author.name === v.name,
    )
  await check(
    'change',
    () => c('PATCH', `/Books(${v.books[0]})`, { stock: 77 }),
    ({ s, b }) => s === 200 && b.stock === 77 && b.title === `${v.word} 0`,
  )
  await check(
    'changed',
    () => read(`/Books(${v.books[0]})`),
    ({ s, b }) => s === 200 && b.stock === 77,
  )
  await check(
    'search created',
    () => read('/Books', { filter: { title: { startswith: v.word } }, count: true }),
    (r) => list(r).length === v.books.length && r.b['@odata.count'] === v.books.length,
  )
  await check(
    'delete',
    () => c('DELETE', `/Books(${v.books[1]})`),
    ({ s }) => s === 204,
  )
  await check(
    'deleted',
    () => read(`/Books(${v.books[1]})`),
    ({ s, b }) => s === 404 && b.error.code === '404',
  )
  await check(
    'missing',
    () => read(`/Books(${v.no})`),
    ({ s }) => s === 404,
  )
  await check(
    'delete missing',
    () => c('DELETE', `/Books(${v.no})`),
    ({ s }) => s === 404,
  )
  await check(
    'created twice',
    () => c('POST', '/Authors', { ID: v.author, name: v.name }),
    ({ s }) => s >= 400,
  )
  await check(
    'nameless author',
    () => c('POST', '/Authors', { ID: v.no }),
    ({ s, b }) => s === 400 && b.error.target === 'name',
  )
  await check(
    'bad filter',
    () => c('GET', `/Books?$filter=${v.none}%20eq`),
    ({ s, b }) => s === 400 && b.error.message,
  )
  await check(
    'books now',
    () => read('/Books', { count: true, top: 1 }),
    (r) => r.b['@odata.count'] === 4 + v.books.length,
  )
}
