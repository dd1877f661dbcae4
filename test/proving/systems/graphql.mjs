import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gql, GraphQLClient } from 'graphql-request'
import { startServer } from '../server.ts'

const PROGRAM = join(import.meta.dirname, '../node_modules/json-graphql-server/bin/json-graphql-server.cjs')

export function start(directory) {
  const file = join(directory, 'data.cjs')
  writeFileSync(file, `module.exports = ${JSON.stringify(DATA)}`)
  return startServer(process.execPath, (port) => [PROGRAM, file, '-p', String(port), '-h', '127.0.0.1'])
}

const DATA = {
  posts: [
    { id: 1, title: 'Lorem Ipsum', views: 254, user_id: 123 },
    { id: 2, title: 'Sic Dolor amet', views: 65, user_id: 456 },
    { id: 3, title: 'Consectetur', views: 120, user_id: 123 },
    { id: 4, title: 'Adipiscing elit', views: 7, user_id: 789 },
    { id: 5, title: 'Sed do eiusmod', views: 33, user_id: 456 },
    { id: 6, title: 'Tempor incididunt', views: 410, user_id: 789 },
  ],
  users: [
    { id: 123, name: 'John Doe' },
    { id: 456, name: 'Jane Doe' },
    { id: 789, name: 'Jim Poe' },
  ],
  comments: [
    { id: 987, post_id: 1, body: 'Consectetur adipiscing elit', date: '2017-07-03' },
    { id: 995, post_id: 1, body: 'Nam molestie pellentesque dui', date: '2017-08-17' },
    { id: 996, post_id: 2, body: 'Aliquam erat', date: '2017-09-01' },
    { id: 997, post_id: 3, body: 'Vivamus', date: '2017-09-02' },
  ],
}

const LIST = gql`
  query Posts($page: Int, $perPage: Int, $sortField: String, $sortOrder: String, $filter: PostFilter) {
    allPosts(page: $page, perPage: $perPage, sortField: $sortField, sortOrder: $sortOrder, filter: $filter) {
      id
      title
      views
      user_id
    }
    _allPostsMeta(page: $page, perPage: $perPage, filter: $filter) {
      count
    }
  }
`
const POST = gql`
  query Post($id: ID!) {
    Post(id: $id) {
      ...card
      User {
        id
        name
      }
      Comments {
        id
        body
      }
    }
  }
  fragment card on Post {
    id
    title
    views
  }
`
const PLAIN = gql`
  query Plain($id: ID!) {
    item: Post(id: $id) {
      id
      name: title
      views
    }
  }
`
const USERS = gql`
  {
    allUsers {
      id
      name
      Posts {
        id
        title
      }
    }
  }
`
const USER = gql`
  query User($id: ID!) {
    User(id: $id) {
      id
      name
    }
  }
`
const CREATE = gql`
  mutation Create($title: String!, $views: Int!, $user: ID!) {
    createPost(title: $title, views: $views, user_id: $user) {
      id
      title
      views
      user_id
    }
  }
`
const UPDATE = gql`
  mutation Update($id: ID!, $title: String, $views: Int) {
    updatePost(id: $id, title: $title, views: $views) {
      id
      title
      views
      user_id
    }
  }
`
const REMOVE = gql`
  mutation Remove($id: ID!) {
    removePost(id: $id) {
      id
      title
    }
  }
`
export async function session(base, which, check) {
  const v =
    which === 'A'
      ? {
          ids: [1, 2, 3, 4],
          users: [123, 456, 789],
          author: '123',
          count: 2,
          titles: ['First new', 'Second new', 'Third new'],
          user: 123,
          q: 'Lorem',
          none: 999,
          page: 2,
          sort: 'views',
        }
      : {
          ids: [2, 5, 6, 1],
          users: [789, 123],
          author: '456',
          count: 2,
          titles: ['Other', 'Another one'],
          user: 456,
          q: 'Tempor',
          none: 777,
          page: 2,
          sort: 'title',
        }
  const client = new GraphQLClient(base + '/')
  const ask = (q, vars) => client.request(q, vars)
  await check(
    'list',
    () => ask(LIST, { page: 0, perPage: 25 }),
    (r) => r.allPosts.length === 6 && r._allPostsMeta.count === 6,
  )
  await check(
    'users',
    () => ask(USERS),
    (r) => r.allUsers.length === 3 && r.allUsers[0].Posts.length > 0,
  )
  for (const id of v.ids)
    await check(
      'post',
      () => ask(POST, { id }),
      (r) => r.Post.id === String(id) && r.Post.User.name !== undefined && Array.isArray(r.Post.Comments),
    )
  for (const id of v.ids.slice(1))
    await check(
      'plain',
      () => ask(PLAIN, { id }),
      (r) => r.item.id === String(id) && typeof r.item.name === 'string',
    )
  for (const id of v.users)
    await check(
      'user',
      () => ask(USER, { id }),
      (r) => r.User.id === String(id) && / .oe$/.test(r.User.name),
    )
  await check(
    'page',
    () => ask(LIST, { page: v.page, perPage: 2 }),
    (r) => r.allPosts.length === 2 && r._allPostsMeta.count === 6,
  )
  await check(
    'page 0',
    () => ask(LIST, { page: 0, perPage: 2 }),
    (r) => r.allPosts.length === 2 && r.allPosts[0].id === '1',
  )
  await check(
    'page 1',
    () => ask(LIST, { page: 1, perPage: 2 }),
    (r) => r.allPosts.length === 2 && r.allPosts[0].id === '3',
  )
  await check(
    'sorted',
    () => ask(LIST, { page: 0, perPage: 3, sortField: v.sort, sortOrder: 'desc' }),
    (r) => r.allPosts.length === 3 && r.allPosts[0][v.sort] >= r.allPosts[1][v.sort],
  )
  await check(
    'by author',
    () => ask(LIST, { filter: { user_id: v.author } }),
    (r) => r.allPosts.length === v.count && r.allPosts.every((p) => p.user_id === v.author),
  )
  await check(
    'search',
    () => ask(LIST, { filter: { q: v.q } }),
    (r) => r.allPosts.length === 1 && r.allPosts[0].title.includes(v.q),
  )
  await check(
    'missing',
    () => ask(POST, { id: v.none }),
    (r, e) => e?.response?.errors?.length > 0 || r?.Post === null,
  )
  const made = []
  for (const title of v.titles)
    await check(
      'create',
      async () => {
        const r = await ask(CREATE, { title, views: 5, user: v.user })
        made.push(r.createPost.id)
        return r
      },
      (r) => r.createPost.title === title && r.createPost.views === 5 && r.createPost.id !== undefined,
    )
  for (const [at, id] of made.entries())
    await check(
      'read made',
      () => ask(POST, { id }),
      (r) => r.Post.id === id && r.Post.title === v.titles[at] && r.Post.User.id === String(v.user),
    )
  await check(
    'ids differ',
    async () => new Set(made).size,
    (n) => n === made.length,
  )
  await check(
    'update',
    () => ask(UPDATE, { id: made[0], title: 'Changed' }),
    (r) => r.updatePost.title === 'Changed' && r.updatePost.id === made[0],
  )
  await check(
    'read changed',
    () => ask(PLAIN, { id: made[0] }),
    (r) => r.item.name === 'Changed',
  )
  await check(
    'list more',
    () => ask(LIST, { page: 0, perPage: 25 }),
    (r) => r.allPosts.length === 6 + made.length && r.allPosts.some((p) => p.title === 'Changed'),
  )
  await check(
    'remove',
    () => ask(REMOVE, { id: made[1] }),
    (r) => r.removePost.id === made[1],
  )
  await check(
    'read removed',
    () => ask(PLAIN, { id: made[1] }),
    (r, e) => e?.response?.errors?.length > 0 || r?.item === null,
  )
  await check(
    'remove again',
    () => ask(REMOVE, { id: made[1] }),
    (r, e) => e?.response?.errors?.length > 0 || r?.removePost === null,
  )
  await check(
    'invalid',
    () =>
      ask(gql`
        query Wrong {
          Post(id: 1) {
            id
            nothing
          }
        }
      `),
    (r, e) => /nothing/.test(e?.response?.errors?.[0]?.message),
  )
  await check(
    'syntax',
    () => client.rawRequest('{ Post(id: 1) { id '),
    (r, e) => e?.response?.errors?.length > 0,
  )
  await check(
    'no variable',
    () => ask(POST, {}),
    (r, e) => /\$id/.test(e?.response?.errors?.[0]?.message),
  )
  await check(
    'list end',
    () => ask(LIST, { page: 0, perPage: 25 }),
    (r) => r.allPosts.length === 5 + made.length,
  )
}
