import { createTRPCClient, httpBatchLink, httpLink } from '@trpc/client'
import { listenHere } from '../server.ts'
import { createTrpcServer } from '../servers/trpc.mjs'

export async function start() {
  return listenHere(createTrpcServer())
}

const VALUES = {
  A: {
    user: 'ann',
    projects: ['Garden', 'Kitchen'],
    notes: [
      ['Buy seeds', 'tomatoes', 0],
      ['Repair fence', 'the north one', 0],
      ['Sharpen knives', '', 1],
      ['Water roses', 'each day', 0],
    ],
    rename: 'Buy many seeds',
    labels: ['urgent', 'cheap'],
    none: '11111111-2222-4333-8444-555555555555',
    noProject: 99,
  },
  B: {
    user: 'ann',
    projects: ['Website', 'Shop', 'Backend'],
    notes: [
      ['Fix header', 'too tall', 0],
      ['Add cart', 'with totals', 1],
      ['Index tables', '', 2],
      ['Cache pages', 'ten minutes', 0],
      ['Send mails', 'of orders', 1],
    ],
    rename: 'Fix the header',
    labels: ['later', 'design', 'small'],
    none: '99999999-aaaa-4bbb-8ccc-dddddddddddd',
    noProject: 77,
  },
}

const failed = (code) => (_value, error) => error?.data?.code === code
const titles = (items) => items.map(({ title }) => title).join()

export async function session(base, which, check) {
  const v = VALUES[which]
  const url = `${base}/trpc`
  const headers = { authorization: `Bearer token-of-${v.user}` }
  const c = createTRPCClient({ links: [httpBatchLink({ url, headers })] })
  const single = createTRPCClient({ links: [httpLink({ url, headers })] })
  const stranger = createTRPCClient({ links: [httpLink({ url })] })
  const all = v.notes.map(([title]) => title)
  const of = (at) => v.notes.filter(([, , project]) => project === at).map(([title]) => title)

  await check(
    'health',
    () => stranger.health.query(),
    ({ ok }) => ok,
  )
  await check('no token', () => stranger.note.list.query(), failed('UNAUTHORIZED'))
  await check(
    'projects none',
    () => c.project.list.query(),
    (list) => list.length === 0,
  )
  const projects = []
  for (const name of v.projects)
    projects.push(
      (
        await check(
          'create project',
          () => c.project.create.mutate({ name }),
          (made) =>
            made.name === name &&
            made.owner === v.user &&
            !made.isArchived &&
            made.id === projects.length + 1,
        )
      )?.id,
    )
  await check(
    'create project again',
    () => c.project.create.mutate({ name: v.projects[1] }),
    failed('CONFLICT'),
  )
  await check('create project bad', () => c.project.create.mutate({ title: 'x' }), failed('BAD_REQUEST'))
  await check(
    'projects',
    () => c.project.list.query(),
    (list) => list.map(({ name }) => name).join() === v.projects.join(),
  )
  for (const [at, id] of projects.entries())
    await check(
      'project',
      () => c.project.byId.query({ id }),
      ({ name }) => name === v.projects[at],
    )
  await check('project none', () => c.project.byId.query({ id: v.noProject }), failed('NOT_FOUND'))
  const ids = []
  for (const [title, text, at] of v.notes)
    ids.push(
      (
        await check(
          'create note',
          () => c.note.create.mutate({ title, text, projectId: projects[at] }),
          (made) =>
            made.title === title &&
            made.text === text &&
            made.projectId === projects[at] &&
            made.status === 'open' &&
            made.author === v.user,
        )
      )?.id,
    )
  await check(
    'create note in none',
    () => c.note.create.mutate({ title: 'lost', projectId: v.noProject }),
    failed('NOT_FOUND'),
  )
  await check(
    'create note bad',
    () => c.note.create.mutate({ title: '', projectId: projects[0] }),
    failed('BAD_REQUEST'),
  )
  await check(
    'notes',
    () => c.note.list.query(),
    ({ items, total }) => titles(items) === all.join() && total === all.length,
  )
  for (const [at, id] of ids.entries())
    await check(
      'note',
      () => c.note.byId.query(id),
      ({ title, text }) => title === v.notes[at][0] && text === v.notes[at][1],
    )
  await check('note none', () => c.note.byId.query(v.none), failed('NOT_FOUND'))
  await check(
    'notes of project',
    () => c.note.list.query({ projectId: projects[0] }),
    ({ items, total }) => titles(items) === of(0).join() && total === of(0).length,
  )
  await check(
    'notes of project',
    () => c.note.list.query({ projectId: projects[1] }),
    ({ items }) => titles(items) === of(1).join(),
  )
  await check(
    'page',
    () => c.note.list.query({ limit: 2 }),
    ({ items, nextCursor, total }) =>
      titles(items) === all.slice(0, 2).join() && nextCursor === 2 && total === all.length,
  )
  await check(
    'next page',
    () => c.note.list.query({ limit: 2, cursor: 2 }),
    ({ items }) => titles(items) === all.slice(2, 4).join(),
  )
  await check(
    'count',
    () => c.note.count.query(),
    (count) => count === all.length,
  )
  await check(
    'rename',
    () => c.note.update.mutate({ id: ids[0], title: v.rename }),
    ({ title, status }) => title === v.rename && status === 'open',
  )
  await check(
    'note',
    () => c.note.byId.query(ids[0]),
    ({ title, text }) => title === v.rename && text === v.notes[0][1],
  )
  await check(
    'finish',
    () => c.note.update.mutate({ id: ids[1], status: 'done' }),
    ({ title, status }) => title === all[1] && status === 'done',
  )
  await check(
    'finish bad',
    () => c.note.update.mutate({ id: ids[1], status: 'never' }),
    failed('BAD_REQUEST'),
  )
  await check('update none', () => c.note.update.mutate({ id: v.none, title: 'x' }), failed('NOT_FOUND'))
  await check(
    'done notes',
    () => c.note.list.query({ status: 'done' }),
    ({ items }) => titles(items) === all[1],
  )
  await check(
    'labels none',
    () => c.label.list.query({ noteId: ids[0] }),
    (list) => list.length === 0,
  )
  for (const name of v.labels)
    await check(
      'add label',
      () => c.label.add.mutate({ noteId: ids[0], name }),
      (answer) => answer === null,
    )
  await check(
    'labels',
    () => c.label.list.query({ noteId: ids[0] }),
    (list) => list.join() === v.labels.join(),
  )
  await check(
    'label none',
    () => c.label.add.mutate({ noteId: v.none, name: v.labels[0] }),
    failed('NOT_FOUND'),
  )
  await check(
    'archive',
    () => c.project.archive.mutate({ id: projects[1] }),
    ({ name, isArchived }) => name === v.projects[1] && isArchived,
  )
  await check('archive none', () => c.project.archive.mutate({ id: v.noProject }), failed('NOT_FOUND'))
  await check(
    'project archived',
    () => c.project.byId.query({ id: projects[1] }),
    ({ isArchived }) => isArchived,
  )
  await check(
    'together',
    () => Promise.all([c.note.byId.query(ids[2]), c.project.byId.query({ id: projects[0] })]),
    ([note, project]) => note.title === all[2] && project.name === v.projects[0],
  )
  await check(
    'together, one none',
    () => Promise.allSettled([c.note.byId.query(ids[3]), c.note.byId.query(v.none)]),
    ([one, other]) => one.value.title === all[3] && other.reason.data.code === 'NOT_FOUND',
  )
  await check(
    'one alone',
    () => single.note.byId.query(ids[2]),
    ({ title }) => title === all[2],
  )
  await check('one alone none', () => single.note.byId.query(v.none), failed('NOT_FOUND'))
  await check(
    'rename alone',
    () => single.note.update.mutate({ id: ids[2], text: v.rename }),
    ({ title, text }) => title === all[2] && text === v.rename,
  )
  await check(
    'delete',
    () => c.note.delete.mutate(ids[1]),
    ({ deleted }) => deleted,
  )
  await check('note none', () => c.note.byId.query(ids[1]), failed('NOT_FOUND'))
  await check('delete none', () => c.note.delete.mutate(ids[1]), failed('NOT_FOUND'))
  await check(
    'notes',
    () => c.note.list.query(),
    ({ items, total }) => titles(items) === [v.rename, ...all.slice(2)].join() && total === all.length - 1,
  )
  await check(
    'count',
    () => c.note.count.query(),
    (count) => count === all.length - 1,
  )
  await check('no procedure', () => single.note.nonsense.query(), failed('NOT_FOUND'))
}
