import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { startServer } from '../server.ts'

const ROOT = '/usr/share/mediawiki'
export const needs = ['php', ...(existsSync(ROOT) ? [] : ['mediawiki'])]

export function start(directory) {
  return startServer(
    'php',
    (port) => {
      execFileSync(
        'php',
        [
          `${ROOT}/maintenance/install.php`,
          '--confpath',
          directory,
          '--dbtype',
          'sqlite',
          '--dbname',
          'wiki',
          '--dbpath',
          `${directory}/data`,
          '--server',
          `http://127.0.0.1:${port}`,
          '--scriptpath',
          '',
          '--pass',
          'admin-secret-1',
          '--quiet',
          'Wiki',
          'Admin',
        ],
        { stdio: 'ignore' },
      )
      return ['-S', `127.0.0.1:${port}`, '-t', ROOT]
    },
    { env: { MW_CONFIG_FILE: `${directory}/LocalSettings.php` } },
  )
}
export const isMap = (pointer) => /\/query\/(pages|tokens)$/.test(pointer)

const V = {
  A: {
    pages: [
      ['Tea', 'Tea is a hot drink. [[Category:Drinks]] See [[Coffee]].'],
      ['Coffee', 'Coffee is a strong drink. [[Category:Drinks]]'],
      ['Bread', 'Bread is baked. [[Category:Food]] With [[Tea]].'],
      ['Butter', 'Butter is soft. [[Category:Food]]'],
    ],
    none: 'Nowhere',
    categories: ['Drinks', 'Food'],
    word: 'drink',
    prefix: 'B',
    moved: 'Green tea',
  },
  B: {
    pages: [
      ['Oak', 'Oak is a tree of hard wood. [[Category:Trees]]'],
      ['Olive', 'Olive grows near the sea. [[Category:Trees]] Not [[Oak]].'],
      ['Rose', 'Rose is a plant with thorns. [[Category:Flowers]] Near [[Oak]].'],
    ],
    none: 'Void',
    categories: ['Trees', 'Flowers'],
    word: 'plant',
    prefix: 'O',
    moved: 'Holm oak',
  },
}

export async function session(base, which, check) {
  const v = V[which]
  const jar = new Map()
  const send = async (params, post) => {
    const all = new URLSearchParams({ format: 'json', formatversion: '2', ...params })
    const response = await fetch(post ? `${base}/api.php` : `${base}/api.php?${all}`, {
      headers: jar.size > 0 ? { cookie: [...jar].map(([k, x]) => `${k}=${x}`).join('; ') } : {},
      ...(post && { method: 'POST', body: all }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, k, x] = /^([^=]+)=([^;]*)/.exec(line)
      jar.set(k, x)
    }
    return { s: response.status, b: await response.json(), h: response.headers }
  }
  const get = (params) => send(params)
  const post = (params) => send(params, true)
  const loginToken = () =>
    check(
      'login token',
      () => get({ action: 'query', meta: 'tokens', type: 'login' }),
      ({ b }) => b.query.tokens.logintoken.length > 8,
    )
  const logIn = (lgpassword, token) =>
    post({ action: 'login', lgname: 'Admin', lgpassword, lgtoken: token?.b?.query?.tokens?.logintoken })
  await check(
    'site',
    () => get({ action: 'query', meta: 'siteinfo' }),
    ({ b }) => b.query.general.sitename === 'Wiki',
  )
  await check(
    'who',
    () => get({ action: 'query', meta: 'userinfo' }),
    ({ b }) => b.query.userinfo.anon === true,
  )
  await check(
    'missing',
    () => get({ action: 'query', titles: v.pages[0][0] }),
    ({ b }) => b.query.pages[0].missing === true && b.query.pages[0].title === v.pages[0][0],
  )
  const login = await loginToken()
  await check(
    'bad login',
    () => logIn('wrong', login),
    ({ b }) => b.login.result === 'Failed',
  )
  const again = await loginToken()
  await check(
    'login',
    () => logIn('admin-secret-1', again),
    ({ b }) => b.login.result === 'Success' && b.login.lgusername === 'Admin',
  )
  await check(
    'who now',
    () => get({ action: 'query', meta: 'userinfo' }),
    ({ b }) => b.query.userinfo.name === 'Admin',
  )
  const csrf = await check(
    'token',
    () => get({ action: 'query', meta: 'tokens' }),
    ({ b }) => b.query.tokens.csrftoken.length > 8,
  )
  const token = csrf?.b?.query?.tokens?.csrftoken
  const made = []
  for (const [title, text] of v.pages)
    made.push(
      await check(
        'create',
        () => post({ action: 'edit', title, text, summary: `about ${title}`, createonly: '1', token }),
        ({ b }) =>
          b.edit.result === 'Success' &&
          b.edit.title === title &&
          b.edit.new === true &&
          b.edit.newrevid > b.edit.oldrevid,
      ),
    )
  await check(
    'create again',
    () => post({ action: 'edit', title: v.pages[0][0], text: 'x', createonly: '1', token }),
    ({ b }) => b.error.code === 'articleexists',
  )
  await check(
    'bad token',
    () => post({ action: 'edit', title: v.pages[0][0], text: 'x', token: 'nonsense' }),
    ({ b }) => b.error.code === 'badtoken',
  )
  await check(
    'no token',
    () => post({ action: 'edit', title: v.pages[0][0], text: 'x' }),
    ({ b }) => b.error.code === 'missingparam',
  )
  for (const [title, text] of v.pages.slice(0, 3))
    await check(
      'read',
      () =>
        get({
          action: 'query',
          prop: 'revisions',
          rvprop: 'content|ids|comment',
          rvslots: 'main',
          titles: title,
        }),
      ({ b }) =>
        b.query.pages[0].title === title &&
        b.query.pages[0].revisions[0].slots.main.content === text &&
        b.query.pages[0].revisions[0].comment === `about ${title}`,
    )
  await check(
    'read none',
    () =>
      get({
        action: 'query',
        prop: 'revisions',
        rvprop: 'content|ids|comment',
        rvslots: 'main',
        titles: v.none,
      }),
    ({ b }) => b.query.pages[0].missing === true,
  )
  await check(
    'read by id',
    () => get({ action: 'query', prop: 'info', pageids: String(made[1]?.b?.edit?.pageid) }),
    ({ b }) =>
      b.query.pages[0].title === v.pages[1][0] && b.query.pages[0].lastrevid === made[1].b.edit.newrevid,
  )
  await check(
    'read two',
    () => get({ action: 'query', prop: 'info', titles: `${v.pages[0][0]}|${v.pages[1][0]}` }),
    ({ b }) => b.query.pages.length === 2,
  )
  for (const name of v.categories)
    await check(
      'category',
      () => get({ action: 'query', list: 'categorymembers', cmtitle: `Category:${name}` }),
      ({ b }) =>
        b.query.categorymembers.map((x) => x.title).join() ===
        v.pages
          .filter(([, t]) => t.includes(`Category:${name}`))
          .map(([t]) => t)
          .toSorted()
          .join(),
    )
  await check(
    'search',
    () => get({ action: 'query', list: 'search', srsearch: v.word }),
    ({ b }) => b.query.search.length === v.pages.filter(([, t]) => t.includes(v.word)).length,
  )
  await check(
    'prefix',
    () => get({ action: 'query', list: 'allpages', apprefix: v.prefix }),
    ({ b }) =>
      b.query.allpages.map((x) => x.title).join() ===
      v.pages
        .map(([t]) => t)
        .filter((t) => t.startsWith(v.prefix))
        .toSorted()
        .join(),
  )
  const first = await check(
    'pages',
    () => get({ action: 'query', list: 'allpages', aplimit: '2' }),
    ({ b }) => b.query.allpages.length === 2 && b.continue.apcontinue !== undefined,
  )
  await check(
    'pages on',
    () =>
      get({
        action: 'query',
        list: 'allpages',
        aplimit: '2',
        apcontinue: first?.b?.continue?.apcontinue,
        continue: '-||',
      }),
    ({ b }) => b.query.allpages.length === 2,
  )
  await check(
    'suggest',
    () => get({ action: 'opensearch', search: v.pages[0][0].slice(0, 2) }),
    ({ b }) => b[1].includes(v.pages[0][0]),
  )
  await check(
    'html',
    () => get({ action: 'parse', page: v.pages[0][0], prop: 'text' }),
    ({ b }) => b.parse.title === v.pages[0][0] && b.parse.text.includes('<p>'),
  )
  await check(
    'html of none',
    () => get({ action: 'parse', page: v.none, prop: 'text' }),
    ({ b }) => b.error.code === 'missingtitle',
  )
  for (const text of which === 'A' ? ['Now other.', 'And again.'] : ['All new.'])
    await check(
      'edit',
      () => post({ action: 'edit', title: v.pages[1][0], text, summary: 'change', token }),
      ({ b }) =>
        b.edit.result === 'Success' && b.edit.pageid === made[1].b.edit.pageid && b.edit.new === undefined,
    )
  await check(
    'edited',
    () =>
      get({
        action: 'query',
        prop: 'revisions',
        rvprop: 'content|ids|comment',
        rvslots: 'main',
        titles: v.pages[1][0],
      }),
    ({ b }) =>
      b.query.pages[0].revisions[0].slots.main.content === (which === 'A' ? 'And again.' : 'All new.'),
  )
  await check(
    'history',
    () =>
      get({
        action: 'query',
        prop: 'revisions',
        rvprop: 'ids|comment|user',
        rvlimit: '10',
        titles: v.pages[1][0],
      }),
    ({ b }) =>
      b.query.pages[0].revisions.length === (which === 'A' ? 3 : 2) &&
      b.query.pages[0].revisions[0].comment === 'change',
  )
  await check(
    'same edit',
    () =>
      post({ action: 'edit', title: v.pages[1][0], text: which === 'A' ? 'And again.' : 'All new.', token }),
    ({ b }) => b.edit.nochange === true,
  )
  await check(
    'move',
    () =>
      post({ action: 'move', from: v.pages[0][0], to: v.moved, noredirect: '1', reason: 'better', token }),
    ({ b }) => b.move.from === v.pages[0][0] && b.move.to === v.moved,
  )
  await check(
    'moved',
    () => get({ action: 'query', titles: v.moved }),
    ({ b }) => b.query.pages[0].pageid === made[0].b.edit.pageid,
  )
  await check(
    'gone',
    () => get({ action: 'query', titles: v.pages[0][0] }),
    ({ b }) => b.query.pages[0].missing === true,
  )
  await check(
    'delete',
    () => post({ action: 'delete', title: v.pages[2][0], reason: 'done', token }),
    ({ b }) => b.delete.title === v.pages[2][0] && b.delete.logid > 0,
  )
  await check(
    'deleted',
    () => get({ action: 'query', titles: v.pages[2][0] }),
    ({ b }) => b.query.pages[0].missing === true,
  )
  await check(
    'delete none',
    () => post({ action: 'delete', title: v.none, token }),
    ({ b }) => b.error.code === 'missingtitle',
  )
  await check(
    'bad action',
    () => get({ action: which === 'A' ? 'dance' : 'sing' }),
    ({ b }) => b.error.code === 'badvalue',
  )
  await check(
    'all',
    () => get({ action: 'query', list: 'allpages' }),
    ({ b }) => b.query.allpages.length === v.pages.length,
  )
}
