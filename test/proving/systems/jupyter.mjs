import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['jupyter-server']

const KEY = { authorization: 'token key-of-the-client' }

export function start(directory) {
  const [home, root] = [join(directory, 'home'), join(directory, 'root')]
  for (const each of [home, root]) mkdirSync(each, { recursive: true })
  const flags = ['--ip=127.0.0.1', '--no-browser', '--allow-root', '--ServerApp.token=key-of-the-client']
  return startServer(
    'jupyter-server',
    (port) => [...flags, `--port=${port}`, `--ServerApp.root_dir=${root}`],
    {
      env: { HOME: home },
      isUp: async (url) => (await fetch(`${url}/api/status`, { headers: KEY })).ok,
    },
  )
}

const VALUES = {
  A: {
    ...{ folders: ['data', 'plots'], folder: 'data', note: 'Week.ipynb', newNote: 'Month.ipynb' },
    files: { 'a.txt': 'one line', 'rows.csv': 'x,y\n1,2\n' },
    cells: ['1 + 1', 'print("sum")'],
    later: 'another line\nand more',
    none: 'nothing.txt',
  },
  B: {
    ...{
      folders: ['work', 'old', 'drafts'],
      folder: 'drafts',
      note: 'Paper.ipynb',
      newNote: 'Final paper.ipynb',
    },
    files: { 'todo.md': '# To do\n', 'numbers.csv': 'n\n3\n4\n5\n', 'c.py': 'print(3)\n' },
    cells: ['import math', 'math.pi', 'math.e'],
    later: '# Done\n',
    none: 'absent.md',
  },
}

const notebook = (cells) => ({
  cells: cells.map((source) => ({
    cell_type: 'code',
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  })),
  metadata: { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } },
  ...{ nbformat: 4, nbformat_minor: 4 },
})

export async function session(base, which, check) {
  const c = jsonClient(`${base}/api`, KEY)
  const v = VALUES[which]
  const at = (path) => `/contents/${path.split('/').map(encodeURIComponent).join('/')}`
  const list = (path, names) =>
    check(
      'list',
      () => c('GET', `${at(path)}?content=1`),
      ({ s, b }) =>
        s === 200 &&
        b.type === 'directory' &&
        b.content
          .map(({ name }) => name)
          .toSorted()
          .join() === [...names].toSorted().join() &&
        b.content.every((each) => each.path === (path === '' ? each.name : `${path}/${each.name}`)),
    )
  await check(
    'status',
    () => c('GET', '/status'),
    ({ s, b }) => s === 200 && b.kernels === 0,
  )
  await check(
    'sessions',
    () => c('GET', '/sessions'),
    ({ s, b }) => s === 200 && b.length === 0,
  )
  await list('', [])
  for (const folder of v.folders) {
    const made = await check(
      'new folder',
      () => c('POST', '/contents', { type: 'directory' }),
      ({ s, b }) => s === 201 && b.name.startsWith('Untitled Folder'),
    )
    await check(
      'name folder',
      () => c('PATCH', at(made?.b?.path ?? 'x'), { path: folder }),
      ({ s, b }) => s === 200 && b.path === folder && b.type === 'directory',
    )
  }
  await list('', v.folders)
  for (const [name, content] of Object.entries(v.files)) {
    const path = `${v.folder}/${name}`
    await check(
      'write',
      () => c('PUT', at(path), { type: 'file', format: 'text', content }),
      ({ s, b }) => s === 201 && b.path === path && b.name === name && b.content === null,
    )
    await check(
      'read',
      () => c('GET', `${at(path)}?type=file&format=text&content=1`),
      ({ s, b }) => s === 200 && b.content === content && b.size === content.length && b.path === path,
    )
    await check(
      'meta',
      () => c('GET', `${at(path)}?content=0`),
      ({ s, b }) => s === 200 && b.content === null && b.name === name,
    )
  }
  const names = Object.keys(v.files)
  await list(v.folder, names)
  const [first, second] = names.map((name) => `${v.folder}/${name}`)
  await check(
    'change',
    () => c('PUT', at(first), { type: 'file', format: 'text', content: v.later }),
    ({ s, b }) => s === 200 && b.path === first,
  )
  await check(
    'read',
    () => c('GET', `${at(first)}?type=file&format=text&content=1`),
    ({ s, b }) => s === 200 && b.content === v.later,
  )
  const copied = await check(
    'copy',
    () => c('POST', at(v.folder), { copy_from: first }),
    ({ s, b }) => s === 201 && b.path.startsWith(`${v.folder}/`) && b.name.includes('-Copy1'),
  )
  await list(v.folder, [...names, copied?.b?.name])
  await check(
    'delete',
    () => c('DELETE', at(second)),
    ({ s }) => s === 204,
  )
  await check(
    'read none',
    () => c('GET', `${at(second)}?content=1`),
    ({ s, b }) => s === 404 && b.message.includes('No such file'),
  )
  await list(v.folder, [...names.filter((name) => !second.endsWith(name)), copied?.b?.name])
  const note = await check(
    'new notebook',
    () => c('POST', at(v.folder), { type: 'notebook' }),
    ({ s, b }) => s === 201 && b.name === 'Untitled.ipynb',
  )
  await check(
    'name notebook',
    () => c('PATCH', at(note?.b?.path ?? 'x'), { path: `${v.folder}/${v.note}` }),
    ({ s, b }) => s === 200 && b.name === v.note,
  )
  const own = `${v.folder}/${v.note}`
  await check(
    'save',
    () => c('PUT', at(own), { type: 'notebook', content: notebook(v.cells) }),
    ({ s, b }) => s === 200 && b.path === own && b.type === 'notebook',
  )
  await check(
    'open',
    () => c('GET', `${at(own)}?type=notebook&content=1`),
    ({ s, b }) =>
      s === 200 && b.content.cells.length === v.cells.length && b.content.cells[0].source === v.cells[0],
  )
  const point = await check(
    'checkpoint',
    () => c('POST', `${at(own)}/checkpoints`),
    ({ s, b }) => s === 201 && b.id === 'checkpoint',
  )
  await check(
    'save',
    () => c('PUT', at(own), { type: 'notebook', content: notebook(v.cells.slice(1)) }),
    ({ s, b }) => s === 200 && b.path === own,
  )
  await check(
    'checkpoints',
    () => c('GET', `${at(own)}/checkpoints`),
    ({ s, b }) => s === 200 && b.length === 1,
  )
  await check(
    'restore',
    () => c('POST', `${at(own)}/checkpoints/${point?.b?.id}`),
    ({ s }) => s === 204,
  )
  await check(
    'open',
    () => c('GET', `${at(own)}?type=notebook&content=1`),
    ({ s, b }) => s === 200 && b.content.cells.length === v.cells.length,
  )
  await check(
    'rename',
    () => c('PATCH', at(own), { path: `${v.folder}/${v.newNote}` }),
    ({ s, b }) => s === 200 && b.name === v.newNote,
  )
  await check(
    'read none',
    () => c('GET', `${at(own)}?content=1`),
    ({ s }) => s === 404,
  )
  await check(
    'taken',
    () => c('PATCH', at(first), { path: `${v.folder}/${v.newNote}` }),
    ({ s, b }) => s === 409 && b.message.includes(v.newNote),
  )
  await check(
    'delete none',
    () => c('DELETE', at(v.none)),
    ({ s }) => s === 404,
  )
  await check(
    'unknown',
    () => c('GET', `/${v.none}`),
    ({ s }) => s === 404,
  )
  const left = v.folders.filter((each) => each !== v.folder)
  await check(
    'delete',
    () => c('DELETE', at(left[0])),
    ({ s }) => s === 204,
  )
  await list(
    '',
    v.folders.filter((each) => each !== left[0]),
  )
}
