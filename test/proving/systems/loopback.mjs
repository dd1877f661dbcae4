import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const SERVER = join(import.meta.dirname, '../servers/loopback.mjs')

export function start() {
  return startServer(process.execPath, (port) => [SERVER, String(port)])
}

const VALUES = {
  A: {
    todos: [
      { title: 'Water plants', priority: 2, isComplete: false },
      { title: 'Read a book', desc: 'on compilers', priority: 1, isComplete: true },
      { title: 'Wash the car', priority: 3, isComplete: false },
      { title: 'Call Grace', desc: 'about engines', priority: 2, isComplete: true },
      { title: 'Buy bread', priority: 5, isComplete: false },
    ],
    notes: ['first note', 'second note'],
    title: 'Water the roses',
    desc: 'slowly',
    none: 77,
    word: 'the',
    other: 'abc',
  },
  B: {
    todos: [
      { title: 'Pay rent', priority: 4, isComplete: true },
      { title: 'Fix the roof', desc: 'before winter', priority: 2, isComplete: false },
      { title: 'Learn Go', priority: 1, isComplete: false },
      { title: 'Sell the boat', desc: 'cheap', priority: 4, isComplete: false },
    ],
    notes: ['one', 'two', 'three'],
    title: 'Fix the old roof',
    desc: 'with care',
    none: 123,
    word: 'Go',
    other: 'xyz',
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const c = jsonClient(base)
  const is =
    (status, holds = () => true) =>
    ({ s, b }) =>
      s === status && holds(b)
  const by = (filter) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
  const titles = (all) => all.map(({ title }) => title).join()
  await check(
    'none yet',
    () => c('GET', '/todos'),
    is(200, (b) => b.length === 0),
  )
  await check(
    'count none',
    () => c('GET', '/todos/count'),
    is(200, (b) => b.count === 0),
  )
  const todos = []
  for (const [at, todo] of v.todos.entries())
    todos.push(
      (
        await check(
          'create',
          () => c('POST', '/todos', todo),
          is(200, (b) => b.id === at + 1 && b.title === todo.title && b.desc === todo.desc),
        )
      )?.b,
    )
  await check(
    'create short',
    () => c('POST', '/todos', { title: which === 'A' ? 'x' : 'yz' }),
    is(422, ({ error }) => error.details[0].path === '/title' && error.details[0].code === 'minLength'),
  )
  await check(
    'create without title',
    () => c('POST', '/todos', which === 'A' ? {} : { priority: 3 }),
    is(422, ({ error }) => error.details[0].info.missingProperty === 'title'),
  )
  await check(
    'create with more',
    () => c('POST', '/todos', { title: v.title, [v.other]: 1 }),
    is(422, ({ error }) => error.details[0].info.additionalProperty === v.other),
  )
  await check(
    'list',
    () => c('GET', '/todos'),
    is(200, (b) => titles(b) === titles(v.todos)),
  )
  await check(
    'count',
    () => c('GET', '/todos/count'),
    is(200, (b) => b.count === v.todos.length),
  )
  for (const at of which === 'A' ? [0, 2] : [1, 3, 0])
    await check(
      'read',
      () => c('GET', `/todos/${todos[at]?.id}`),
      is(200, (b) => b.title === v.todos[at].title && b.desc === v.todos[at].desc),
    )
  await check(
    'read none',
    () => c('GET', `/todos/${v.none}`),
    is(404, ({ error }) => error.code === 'ENTITY_NOT_FOUND' && error.message.endsWith(`id ${v.none}`)),
  )
  await check(
    'read no number',
    () => c('GET', `/todos/${v.other}`),
    is(400, ({ error }) => error.message.includes(`"${v.other}"`)),
  )
  for (const priority of which === 'A' ? [2, 5] : [4, 1])
    await check(
      'filter',
      () => c('GET', `/todos?${by({ where: { priority } })}`),
      is(200, (b) => titles(b) === titles(v.todos.filter((each) => each.priority === priority))),
    )
  for (const least of which === 'A' ? [2, 3] : [3])
    await check(
      'filter by least',
      () => c('GET', `/todos?${by({ where: { priority: { gte: least } } })}`),
      is(200, (b) => titles(b) === titles(v.todos.filter(({ priority }) => priority >= least))),
    )
  await check(
    'filter by two',
    () => c('GET', `/todos?${by({ where: { isComplete: false, priority: { gt: 2 } } })}`),
    is(200, (b) => titles(b) === titles(v.todos.filter((each) => !each.isComplete && each.priority > 2))),
  )
  await check(
    'search',
    () => c('GET', `/todos?filter[where][title][like]=${v.word}`),
    is(200, (b) => titles(b) === titles(v.todos.filter(({ title }) => title.includes(v.word)))),
  )
  for (const order of which === 'A' ? ['priority DESC', 'title ASC'] : ['title DESC'])
    await check(
      'order',
      () => c('GET', `/todos?${by({ order: [order] })}`),
      is(200, (b) => {
        const [name, way] = order.split(' ')
        const sorted = v.todos.toSorted((x, y) => (x[name] > y[name] ? 1 : x[name] < y[name] ? -1 : 0))
        const wanted =
          way === 'ASC'
            ? sorted
            : v.todos.toSorted((x, y) => (x[name] < y[name] ? 1 : x[name] > y[name] ? -1 : 0))
        return titles(b) === titles(wanted)
      }),
    )
  for (const [limit, skip] of which === 'A'
    ? [
        [2, 0],
        [2, 2],
        [2, 4],
      ]
    : [
        [3, 0],
        [3, 3],
      ])
    await check(
      'page',
      () => c('GET', `/todos?${by({ limit, skip })}`),
      is(200, (b) => titles(b) === titles(v.todos.slice(skip, skip + limit))),
    )
  await check(
    'fields',
    () => c('GET', `/todos?${by({ fields: { id: true, title: true } })}`),
    is(200, (b) => titles(b) === titles(v.todos) && b[0].priority === undefined),
  )
  await check(
    'bad filter',
    () => c('GET', `/todos?${by({ limit: v.other })}`),
    is(400, ({ error }) => error.code === 'INVALID_PARAMETER_VALUE'),
  )
  for (const done of which === 'A' ? [true, false] : [false])
    await check(
      'count some',
      () => c('GET', `/todos/count?where=${encodeURIComponent(JSON.stringify({ isComplete: done }))}`),
      is(200, (b) => b.count === v.todos.filter(({ isComplete }) => isComplete === done).length),
    )
  await check('patch', () => c('PATCH', `/todos/${todos[0]?.id}`, { desc: v.desc }), is(204))
  await check(
    'patched',
    () => c('GET', `/todos/${todos[0]?.id}`),
    is(200, (b) => b.desc === v.desc && b.title === v.todos[0].title),
  )
  await check('put', () => c('PUT', `/todos/${todos[1]?.id}`, { title: v.title }), is(204))
  await check(
    'replaced',
    () => c('GET', `/todos/${todos[1]?.id}`),
    is(200, (b) => b.title === v.title && b.desc === undefined && b.priority === undefined),
  )
  await check(
    'patch all',
    () =>
      c('PATCH', `/todos?where=${encodeURIComponent(JSON.stringify({ id: todos[2]?.id }))}`, { priority: 9 }),
    is(200, (b) => b.count === 1),
  )
  await check(
    'all patched',
    () => c('GET', `/todos/${todos[2]?.id}`),
    is(200, (b) => b.priority === 9 && b.title === v.todos[2].title),
  )
  await check('patch none', () => c('PATCH', `/todos/${v.none}`, { desc: 'x' }), is(404))
  await check(
    'patch badly',
    () => c('PATCH', `/todos/${todos[0]?.id}`, { priority: 'high' }),
    is(422, ({ error }) => error.details[0].path === '/priority'),
  )
  await check(
    'notes none',
    () => c('GET', '/notes'),
    is(200, (b) => b.length === 0),
  )
  const notes = []
  for (const [at, text] of v.notes.entries())
    notes.push(
      (
        await check(
          'note',
          () => c('POST', '/notes', { text, todoId: todos[at]?.id }),
          is(200, (b) => b.text === text && b.todoId === todos[at].id && b.id.length === 36),
        )
      )?.b,
    )
  await check(
    'notes of',
    () => c('GET', `/notes?${by({ where: { todoId: todos[1]?.id } })}`),
    is(200, (b) => b.length === 1 && b[0].id === notes[1].id),
  )
  await check(
    'note read',
    () => c('GET', `/notes/${notes[0]?.id}`),
    is(200, (b) => b.text === v.notes[0]),
  )
  await check('delete note', () => c('DELETE', `/notes/${notes[0]?.id}`), is(204))
  await check(
    'note deleted',
    () => c('GET', `/notes/${notes[0]?.id}`),
    is(404, ({ error }) => error.message.endsWith(notes[0].id)),
  )
  await check('delete', () => c('DELETE', `/todos/${todos[3]?.id}`), is(204))
  await check('deleted', () => c('GET', `/todos/${todos[3]?.id}`), is(404))
  await check('delete again', () => c('DELETE', `/todos/${todos[3]?.id}`), is(404))
  await check(
    'count after',
    () => c('GET', '/todos/count'),
    is(200, (b) => b.count === v.todos.length - 1),
  )
  await check(
    'list after',
    () => c('GET', '/todos'),
    is(
      200,
      (b) =>
        b.length === v.todos.length - 1 &&
        b[2].priority === 9 &&
        b.every(({ title }) => title !== v.todos[3].title),
    ),
  )
  await check('no such path', () => c('GET', `/${which === 'A' ? 'ghosts' : 'spirits'}`), is(404))
}
