import { createServer } from 'node:http'
import express, { errorHandler, json, notFound, rest } from '@feathersjs/express'
import { feathers } from '@feathersjs/feathers'
import { memory } from '@feathersjs/memory'
import restClient from '@feathersjs/rest-client'
import { listenHere } from '../server.ts'

const CITIES = ['Rome', 'Oslo', 'Bern', 'Wien']
const ITEMS = Array.from({ length: 43 }, (_, at) => ({
  id: at + 1,
  name: `Item ${String(at + 1).padStart(2, '0')}`,
  city: CITIES[at % 4],
  price: (at * 13) % 60,
}))

export async function start() {
  const app = express(feathers())
  app.set('query parser', 'extended')
  app.use(json())
  app.configure(rest())
  const store = Object.fromEntries(ITEMS.map((item) => [item.id, { ...item }]))
  app.use('items', memory({ id: 'id', startId: 44, store, paginate: { default: 10, max: 50 } }))
  app.service('items').hooks({ before: { find: [readNumbers] } })
  app.use(notFound())
  app.use(errorHandler({ html: false, logger: false }))
  const server = createServer(app)
  await app.setup(server)
  return listenHere(server)
}

// As the validators of generated apps do: queries are texts, and the model has numbers.
function readNumbers(context) {
  const read = (value) => {
    if (typeof value === 'string') return /^-?\d+$/.test(value) ? Number(value) : value
    if (Array.isArray(value)) return value.map(read)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, read(part)]))
  }
  context.params = { ...context.params, query: read(context.params.query) }
}

export async function session(base, which, check) {
  const items = feathers().configure(restClient(base).fetch(fetch)).service('items')
  const find = (name, query, wanted) =>
    check(
      name,
      () => items.find({ query }),
      ({ data, total, skip, limit }) =>
        total === wanted.length &&
        data.map(({ id }) => id).join() ===
          wanted
            .slice(skip, skip + limit)
            .map(({ id }) => id)
            .join(),
    )
  const where = (test) => ITEMS.filter(test)
  const by = (some, compare) => some.toSorted(compare)
  await find('list', {}, ITEMS)
  if (which === 'A') {
    for (const skip of [10, 20, 30, 40]) await find('skip', { $skip: skip }, ITEMS)
    await find('limit', { $limit: 5 }, ITEMS)
    await find(
      'filter',
      { city: 'Rome' },
      where(({ city }) => city === 'Rome'),
    )
    await find(
      'compare',
      { price: { $gt: 40 } },
      where(({ price }) => price > 40),
    )
    await find('sort', { $sort: { name: -1 } }, ITEMS.toReversed())
  } else {
    for (const skip of [7, 33, 60]) await find('skip', { $skip: skip, $limit: 8 }, ITEMS)
    await find('limit', { $limit: 3, $skip: 2 }, ITEMS)
    await find(
      'filter',
      { city: 'Wien', $skip: 5 },
      where(({ city }) => city === 'Wien'),
    )
    await find(
      'filter',
      { name: 'Item 20' },
      where(({ id }) => id === 20),
    )
    await find('filter', { city: 'Paris' }, [])
    await find(
      'compare',
      { price: { $gte: 10, $lt: 20 } },
      where(({ price }) => price >= 10 && price < 20),
    )
    await find(
      'compare',
      { city: { $ne: 'Rome' } },
      where(({ city }) => city !== 'Rome'),
    )
    await find(
      'compare',
      { id: { $in: [3, 5] } },
      where(({ id }) => [3, 5].includes(id)),
    )
    await find(
      'sort',
      { $sort: { city: 1, price: -1 }, $limit: 20 },
      by(ITEMS, (a, b) => a.city.localeCompare(b.city) || b.price - a.price || a.id - b.id),
    )
  }
  const [id, none] = which === 'A' ? [7, 700] : [31, 901]
  const isNone = (_answer, error) => error?.code === 404
  await check(
    'get',
    () => items.get(id),
    ({ name }) => name === ITEMS[id - 1].name,
  )
  await check('get none', () => items.get(none), isNone)
  const made = []
  for (const name of which === 'A' ? ['New 1', 'New 2'] : ['Old 1', 'Old 2'])
    made.push(
      await check(
        'create',
        () => items.create({ name, city: 'Bern', price: 8 }),
        (item) => item.name === name,
      ),
    )
  const change = which === 'A' ? { price: 99 } : { city: 'Wien' }
  const [kept, removed] = made.map((item) => item?.id)
  const isChanged = (item) => Object.entries(change).every(([name, value]) => item[name] === value)
  await check('patch', () => items.patch(kept, change), isChanged)
  await check('get patched', () => items.get(kept), isChanged)
  await check('remove', () => items.remove(removed))
  await check('get removed', () => items.get(removed), isNone)
}
