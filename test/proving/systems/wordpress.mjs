import { setTimeout } from 'node:timers/promises'
import { client, PNG, WORDS } from '../servers/wordpress.mjs'

export { needs, start } from '../servers/wordpress.mjs'

const SOME =
  'drafts and trash are refused to guests, removal to a trash keeps the item, and changes make revisions'
export const short = {
  'held out': SOME,
  checks: SOME,
  'by rule': `${SOME}, and links are below those of other items`,
}

export async function session(base, which, check) {
  const v = WORDS[which]
  const endpoint = `${base}/wp-json`
  const guest = client(base, false)
  const wp = client(base, true)
  const bad = (code, status) => (_, e) => e?.code === code && (!status || e.data.status === status)
  const rendered = (f) => f?.rendered
  const named = (name) => (r) => r.name === name
  await check('index', () => guest.root(), named('Test'))
  await check('me', () => wp.users().me(), named('admin'))
  await check('me guest', () => guest.users().me(), bad('rest_not_logged_in', 401))
  await check('create guest', () => guest.posts().create({ title: 'x' }), bad('rest_cannot_create', 401))
  const lists = { types: (r) => r.post.rest_base === 'posts', statuses: (r) => r.publish.public === true }
  for (const [name, isRight] of Object.entries(lists)) await check(name, () => guest[name](), isRight)
  await check(
    'posts',
    () => guest.posts(),
    (r) => r.length === 1 && r[0].slug === 'hello-world',
  )
  const cats = [],
    tags = [],
    users = [],
    posts = [],
    pages = [],
    comments = []
  for (const [name, description] of v.cats)
    cats.push(
      await check(
        'category',
        () => wp.categories().create({ name, description }),
        (r) =>
          r.name === name &&
          r.description === description &&
          r.count === 0 &&
          r.slug === name.toLowerCase() &&
          r.parent === 0,
      ),
    )
  await check('category again', () => wp.categories().create({ name: v.cats[0][0] }), bad('term_exists', 400))
  await check(
    'sub category',
    () => wp.categories().create({ name: `Sub ${v.cats[1][0]}`, parent: cats[1].id }),
    (r) => r.parent === cats[1].id && r.slug === `sub-${v.cats[1][0].toLowerCase()}`,
  )
  for (const name of v.tags)
    tags.push(
      await check(
        'tag',
        () => wp.tags().create({ name }),
        (r) => r.name === name && r.taxonomy === 'post_tag',
      ),
    )
  for (const [username, email, name] of v.users)
    users.push(
      await check(
        'user',
        () =>
          wp.users().create({ username, email, name, password: `secret-${username}-1`, roles: ['author'] }),
        (r) => r.name === name && r.slug === username && r.roles[0] === 'author',
      ),
    )
  await check(
    'user again',
    () => wp.users().create({ username: v.users[0][0], email: 'other@example.com', password: 'x1y2z3' }),
    bad('existing_user_login'),
  )
  await check(
    'user bad',
    () => wp.users().create({ username: `q-${which}`, email: 'nope', password: 'x1y2z3' }),
    bad('rest_invalid_param', 400),
  )
  for (const [title, content, status, cat, tg] of v.posts) {
    // Lists are in the order of whole seconds.
    await setTimeout(1100)
    posts.push(
      await check(
        'post',
        () =>
          wp
            .posts()
            .create({ title, content, status, categories: [cats[cat].id], tags: tg.map((i) => tags[i].id) }),
        (r) =>
          r.title.raw === title &&
          rendered(r.title) === title &&
          r.status === status &&
          r.categories[0] === cats[cat].id &&
          r.tags.length === tg.length &&
          (status === 'draft' ? r.slug === '' : r.slug === title.toLowerCase().replaceAll(' ', '-')),
      ),
    )
  }
  const pub = v.posts.filter((p) => p[2] === 'publish')
  const ids = (r) => r.map((p) => p.id).join()
  const find = (test) =>
    posts
      .filter((_, i) => test(v.posts[i]))
      .map((p) => p.id)
      .toReversed()
  await check(
    'list',
    () => guest.posts(),
    (r) =>
      r.length === pub.length + 1 &&
      Number(r._paging.total) === pub.length + 1 &&
      rendered(r[0].title) === pub.at(-1)[0],
  )
  await check(
    'page 1',
    () => guest.posts().perPage(2).page(1),
    (r) =>
      r.length === 2 &&
      Number(r._paging.totalPages) === Math.ceil((pub.length + 1) / 2) &&
      r._paging.links.next !== undefined,
  )
  await check(
    'page 2',
    () => guest.posts().perPage(2).page(2),
    (r) => r.length === 2 && r._paging.links.prev !== undefined,
  )
  await check('page none', () => guest.posts().perPage(2).page(40), bad('rest_post_invalid_page_number', 400))
  await check('per page bad', () => guest.posts().perPage(500), bad('rest_invalid_param', 400))
  await check(
    'by category',
    () => guest.posts().categories(cats[0].id),
    (r) => ids(r) === find((p) => p[2] === 'publish' && p[3] === 0).join(),
  )
  await check(
    'by tag',
    () => guest.posts().tags(tags[1].id),
    (r) => ids(r) === find((p) => p[2] === 'publish' && p[4].includes(1)).join(),
  )
  await check(
    'search',
    () => guest.posts().search(v.search),
    (r) =>
      ids(r).split(',').toSorted().join() ===
      find((p) => p[2] === 'publish' && (p[0] + p[1]).toLowerCase().includes(v.search))
        .toSorted()
        .join(),
  )
  await check(
    'by slug',
    () => guest.posts().slug(posts[1].slug),
    (r) => r.length === 1 && r[0].id === posts[1].id,
  )
  await check(
    'asc',
    () => guest.posts().order('asc').orderby('title'),
    (r) => r.every((p, i) => i === 0 || rendered(r[i - 1].title) <= rendered(p.title)),
  )
  await check(
    'drafts',
    () => wp.posts().status('draft'),
    (r) => r.length === 1 && r[0].status === 'draft',
  )
  await check('drafts guest', () => guest.posts().status('draft'), bad('rest_invalid_param', 400))
  for (const i of [0, 1])
    await check(
      'read',
      () => guest.posts().id(posts[i].id),
      (r) =>
        r.id === posts[i].id &&
        rendered(r.title) === v.posts[i][0] &&
        r.title.raw === undefined &&
        rendered(r.content).includes(v.posts[i][1]),
    )
  await check(
    'read edit',
    () => wp.posts().id(posts[0].id).context('edit'),
    (r) => r.title.raw === v.posts[0][0],
  )
  await check('read draft guest', () => guest.posts().id(posts[2].id), bad('rest_forbidden', 401))
  await check('read none', () => guest.posts().id(v.none), bad('rest_post_invalid_id', 404))
  await check(
    'embed',
    () => guest.posts().id(posts[0].id).embed(),
    (r) =>
      r._embedded.author[0].name === 'admin' &&
      r._embedded['wp:term'].flat().some((t) => t.name === v.cats[0][0]),
  )
  await check(
    'fields',
    () => guest.posts().param('_fields', 'id,slug'),
    (r) => Object.keys(r[0]).join() === 'id,slug' && r.length === pub.length + 1,
  )
  await check(
    'update',
    () => wp.posts().id(posts[0].id).update({ title: v.rename }),
    (r) => rendered(r.title) === v.rename && r.slug === posts[0].slug && r.modified >= r.date,
  )
  await check(
    'read',
    () => guest.posts().id(posts[0].id),
    (r) => rendered(r.title) === v.rename,
  )
  await check(
    'revisions',
    () => wp.posts().id(posts[0].id).revisions(),
    (r) => r.length >= 1 && r[0].parent === posts[0].id,
  )
  await check(
    'publish',
    () => wp.posts().id(posts[2].id).update({ status: 'publish' }),
    (r) => r.status === 'publish' && r.slug === v.posts[2][0].toLowerCase().replaceAll(' ', '-'),
  )
  await check(
    'list',
    () => guest.posts(),
    (r) => Number(r._paging.total) === pub.length + 2,
  )
  await check(
    'update none',
    () => wp.posts().id(v.none).update({ title: 'x' }),
    bad('rest_post_invalid_id', 404),
  )
  await check(
    'update guest',
    () => guest.posts().id(posts[0].id).update({ title: 'x' }),
    bad('rest_cannot_edit', 401),
  )
  await check(
    'categories',
    () => guest.categories(),
    (r) =>
      r.length === v.cats.length + 2 &&
      r.find((c) => c.id === cats[0].id).count === v.posts.filter((p) => p[3] === 0).length,
  )
  await check(
    'category',
    () => guest.categories().id(cats[1].id),
    (r) => r.name === v.cats[1][0] && r.count === v.posts.filter((p) => p[3] === 1).length,
  )
  await check('category none', () => guest.categories().id(v.none), bad('rest_term_invalid', 404))
  await check(
    'sub',
    () => guest.categories().parent(cats[1].id),
    (r) => r.length === 1,
  )
  await check(
    'tags search',
    () => guest.tags().search(v.tags[0]),
    (r) => r.length === 1 && r[0].name === v.tags[0],
  )
  for (const [title, content, order] of v.pages)
    pages.push(
      await check(
        'page',
        () => wp.pages().create({ title, content, status: 'publish', menu_order: order }),
        (r) => r.title.raw === title && r.menu_order === order && r.type === 'page',
      ),
    )
  await check(
    'child page',
    () => wp.pages().create({ title: `Child of ${v.pages[0][0]}`, status: 'publish', parent: pages[0].id }),
    (r) => r.parent === pages[0].id,
  )
  await check(
    'pages by parent',
    () => guest.pages().parent(pages[0].id),
    (r) => r.length === 1,
  )
  for (const [i, content, author_name, author_email] of v.comments)
    comments.push(
      await check(
        'comment',
        () =>
          wp.comments().create({ post: posts[i].id, content, author_name, author_email, status: 'approved' }),
        (r) =>
          r.post === posts[i].id &&
          r.author_name === author_name &&
          r.content.raw === content &&
          rendered(r.content).includes(content) &&
          r.status === 'approved',
      ),
    )
  await check(
    'comments',
    () => guest.comments().post(posts[1].id),
    (r) => r.length === v.comments.filter((c) => c[0] === 1).length,
  )
  await check(
    'reply',
    () =>
      wp.comments().create({
        post: posts[0].id,
        content: `Reply ${which}`,
        parent: comments.find((c) => c.post === posts[0].id).id,
        author_name: 'R',
        author_email: 'r@example.com',
        status: 'approved',
      }),
    (r) => r.parent > 0,
  )
  await check(
    'comment bad',
    () =>
      wp.comments().create({ post: v.none, content: 'x', author_name: 'R', author_email: 'r@example.com' }),
    bad('rest_comment_invalid_post_id', 403),
  )
  await check(
    'hold',
    () => wp.comments().id(comments[0].id).update({ status: 'hold' }),
    (r) => r.status === 'hold',
  )
  await check(
    'comments',
    () => guest.comments().post(posts[v.comments[0][0]].id),
    (r) => r.every((c) => c.id !== comments[0].id),
  )
  await check(
    'media',
    () =>
      wp
        .media()
        .file(PNG, v.media)
        .create({ title: `T ${which}`, alt_text: 'alt' }),
    (r) => r.mime_type === 'image/png' && r.media_details.width === 1 && r.source_url.endsWith(v.media),
  )
  await check(
    'media list',
    () => guest.media(),
    (r) => r.length === 1 && r[0].slug === v.media.replace('.png', ''),
  )
  await check(
    'settings',
    () => wp.settings(),
    (r) => r.title === 'Test',
  )
  await check(
    'settings',
    () => wp.settings().update({ title: v.title }),
    (r) => r.title === v.title,
  )
  await check(
    'settings',
    () => wp.settings(),
    (r) => r.title === v.title,
  )
  await check('settings guest', () => guest.settings(), bad('rest_forbidden', 401))
  await check(
    'users',
    () => wp.users().context('edit'),
    (r) => r.length === v.users.length + 1,
  )
  await check(
    'user',
    () =>
      wp
        .users()
        .id(users[0].id)
        .update({ name: `${v.users[0][2]} X` }),
    (r) => r.name === `${v.users[0][2]} X`,
  )
  await check(
    'trash',
    () => wp.posts().id(posts[3].id).delete(),
    (r) => r.status === 'trash',
  )
  await check('trashed', () => guest.posts().id(posts[3].id), bad('rest_forbidden', 401))
  await check('trash again', () => wp.posts().id(posts[3].id).delete(), bad('rest_already_trashed', 410))
  await check(
    'delete',
    () => wp.posts().id(posts[3].id).delete({ force: true }),
    (r) => r.deleted === true && r.previous.id === posts[3].id,
  )
  await check('deleted', () => guest.posts().id(posts[3].id), bad('rest_post_invalid_id', 404))
  await check('tag delete bad', () => wp.tags().id(tags[0].id).delete(), bad('rest_trash_not_supported', 501))
  await check(
    'tag delete',
    () => wp.tags().id(tags[0].id).delete({ force: true }),
    (r) => r.deleted === true && r.previous.name === v.tags[0],
  )
  await check(
    'tags',
    () => guest.tags(),
    (r) => r.length === v.tags.length - 1,
  )
  await check(
    'no route',
    () => fetch(`${endpoint}/wp/v2/nothing-${which}`).then(async (r) => ({ s: r.status, b: await r.json() })),
    ({ s, b }) => s === 404 && b.code === 'rest_no_route',
  )
  await check(
    'search all',
    () => fetch(`${endpoint}/wp/v2/search?search=${v.search}`).then((r) => r.json()),
    (r) => r.length >= 1 && r.every((x) => x.type === 'post'),
  )
}
