import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runCommand, startServer } from '../server.ts'

const PROGRAM = createRequire(import.meta.url).resolve('tiddlywiki/tiddlywiki.js')

const BESIDE =
  'items are removed and listed at other paths than they are read at, and changes are counted in revisions and ETags'
export const short = { 'held out': BESIDE, checks: BESIDE, 'by rule': BESIDE }

/** TiddlyWiki's server, as its own web adaptor uses it: texts with fields of their own, listed without the texts. */
export async function start(directory) {
  const wiki = join(directory, 'wiki')
  await runCommand(process.execPath, [PROGRAM, wiki, '--init', 'server'])
  return startServer(process.execPath, (port) => [PROGRAM, wiki, '--listen', `port=${port}`])
}

const VALUES = {
  A: {
    notes: [
      { title: 'Garden', tags: ['home', 'green'], text: 'Water the plants.\n\n* roses\n* ferns' },
      { title: 'Reading list', tags: [], text: 'On compilers', fields: { author: 'Aho', rating: '5' } },
      { title: 'Bread & butter', tags: ['home'], text: '!! Recipe', fields: { rating: '3' } },
      { title: 'HelloWorld', tags: ['code'], text: 'console.log(1)', type: 'application/javascript' },
      { title: 'Travel', tags: ['plans'], text: 'By train to {{Garden}}' },
    ],
    changed: 'Water the plants twice.',
    tag: 'daily',
    none: 'Nothing here',
    gone: [2, 4],
    draft: 'Draft of Garden',
    filter: '[tag[home]]',
  },
  B: {
    notes: [
      { title: 'Roof', tags: ['house'], text: 'Fix it before winter', fields: { rating: '4' } },
      { title: 'Ünïcode', tags: ['text', 'odd ones'], text: 'ßæ' },
      { title: 'Ideas', tags: [], text: '' },
      { title: 'Boats/Sailing', tags: ['plans'], text: 'Sell the boat', fields: { author: 'Ada' } },
    ],
    changed: 'Fix it now',
    tag: 'soon',
    none: 'Missing one',
    gone: [1],
    draft: 'Draft of Roof',
    filter: '[tag[house]]',
  },
}
const ALL = '[all[tiddlers]!is[system]sort[title]]'

export async function session(base, which, check) {
  const v = VALUES[which]
  const ask = async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: { 'x-requested-with': 'TiddlyWiki', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { s: answer.status, b: isJson ? JSON.parse(text) : text, etag: answer.headers.get('etag') }
  }
  const at = (title, of = 'recipes') => `/${of}/default/tiddlers/${encodeURIComponent(title)}`
  const revisionOf = (etag) => etag.split('/').pop().split(':')[0]
  const list = (filter = '') =>
    ask('GET', `/recipes/default/tiddlers.json${filter && `?filter=${encodeURIComponent(filter)}`}`)
  const stamp = (n) => `2024010${n}120000000`
  const put = (note, n = 1) =>
    ask('PUT', at(note.title), {
      created: stamp(1),
      creator: which === 'A' ? 'ada' : 'grace',
      modified: stamp(n),
      type: 'text/vnd.tiddlywiki',
      ...note,
      tags: note.tags.map((tag) => (tag.includes(' ') ? `[[${tag}]]` : tag)).join(' '),
    })
  const titles = (names) => names.toSorted().join('|')
  const shown = ({ b }) => titles(b.map(({ title }) => title))
  const kept = v.notes.map(({ title }) => title)

  await check(
    'status',
    () => ask('GET', '/status'),
    ({ b }) => b.space.recipe === 'default',
  )
  await check('list none', list, ({ s, b }) => s === 200 && Array.isArray(b) && b.length === 0)
  await check(
    'read none',
    () => ask('GET', at(v.none)),
    ({ s }) => s === 404,
  )
  for (const note of v.notes)
    await check(
      'save',
      () => put(note),
      ({ s, etag }) => s === 204 && etag === `"default/${encodeURIComponent(note.title)}/1:"`,
    )
  await check(
    'list',
    list,
    (all) => shown(all) === titles(kept) && all.b.every(({ text }) => text === undefined),
  )
  for (const { title, text, type = 'text/vnd.tiddlywiki', fields } of v.notes)
    await check(
      'load',
      () => ask('GET', at(title)),
      ({ s, b }) =>
        s === 200 &&
        b.title === title &&
        b.text === text &&
        b.type === type &&
        b.bag === 'default' &&
        b.revision === 1 &&
        b.fields?.rating === fields?.rating,
    )
  await check(
    'read none',
    () => ask('GET', at(`${v.none} either`)),
    ({ s }) => s === 404,
  )
  const [first, second] = v.notes
  const changed = { ...first, text: v.changed, tags: [...first.tags, v.tag] }
  await check(
    'save again',
    () => put(changed, 2),
    ({ s, etag }) => s === 204 && revisionOf(etag) === '2',
  )
  await check(
    'load changed',
    () => ask('GET', at(first.title)),
    ({ b }) => b.text === v.changed && b.revision === 2 && b.tags.includes(v.tag) && b.modified === stamp(2),
  )
  await check(
    'list changed',
    list,
    ({ b }) => b.find(({ title }) => title === first.title).revision === 2 && b.length === kept.length,
  )
  await check(
    'save again',
    () => put({ ...second, text: `${second.text}!` }, 3),
    ({ etag }) => revisionOf(etag) === '2',
  )
  await check(
    'save again',
    () => put({ ...changed, text: 'Third' }, 4),
    ({ etag }) => revisionOf(etag) === '3',
  )
  await check(
    'load changed',
    () => ask('GET', at(first.title)),
    ({ b }) => b.text === 'Third' && b.revision === 3,
  )
  await check(
    'list all by filter',
    () => list(ALL),
    (all) => shown(all) === titles(kept) && all.b[0].title === kept.toSorted()[0],
  )
  await check(
    'list by another filter',
    () => list(v.filter),
    ({ s }) => s === 403,
  )
  await check(
    'save draft',
    () =>
      put({
        title: v.draft,
        tags: [],
        text: 'to be',
        fields: { 'draft.of': first.title, 'draft.title': first.title },
      }),
    ({ s }) => s === 204,
  )
  await check(
    'load draft',
    () => ask('GET', at(v.draft)),
    ({ b }) => b.fields['draft.of'] === first.title && b.text === 'to be',
  )
  await check(
    'delete draft',
    () => ask('DELETE', at(v.draft, 'bags')),
    ({ s }) => s === 204,
  )
  await check(
    'read deleted',
    () => ask('GET', at(v.draft)),
    ({ s }) => s === 404,
  )
  for (const n of v.gone) {
    await check(
      'delete',
      () => ask('DELETE', at(kept[n], 'bags')),
      ({ s }) => s === 204,
    )
    await check(
      'read deleted',
      () => ask('GET', at(kept[n])),
      ({ s }) => s === 404,
    )
  }
  const left = kept.filter((_title, n) => !v.gone.includes(n))
  await check('list', list, (all) => shown(all) === titles(left))
  await check(
    'delete none',
    () => ask('DELETE', at(v.none, 'bags')),
    ({ s }) => s === 204,
  )
  await check(
    'page',
    () => ask('GET', `/${encodeURIComponent(first.title)}`),
    ({ s, b }) => s === 200 && b.includes('<'),
  )
  await check(
    'page of none',
    () => ask('GET', `/${encodeURIComponent(v.none)}`),
    ({ s }) => s === 404,
  )
  await check(
    'save anew',
    () => put(v.notes[v.gone[0]]),
    ({ s }) => s === 204,
  )
  await check('list', list, ({ b }) => b.length === left.length + 1)
}
