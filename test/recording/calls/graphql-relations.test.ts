import { expect, it } from 'vitest'
import { withOpenOutput } from '../../../src/recording/inference/open-output.ts'
import { type Called, serverOf } from './graphql-server.ts'

const POST =
  'query($id: ID!) { post(id: $id) { ...card noteCount notes { id text } } } fragment card on Post { id title status author { id name } tags { label } }'
const ADD =
  'mutation($in: PostInput!) { addPost(input: $in) { ...card } } fragment card on Post { id title status author { id name } tags { label } }'
const LIST =
  'query($tag: String, $authorId: ID, $minStars: Int) { posts(tag: $tag, authorId: $authorId, minStars: $minStars) { id title stars author { name } tags { label } } }'
const NOTE =
  'mutation($postId: ID!, $text: String!) { addNote(postId: $postId, text: $text) { id text post { id noteCount } } }'
const TAGS = '{ tags { id label posts { id title } } }'
const USERS = '{ users { id name } }'
const DROP = 'mutation($id: ID!) { deleteUser(id: $id) }'
const OPEN = 'mutation($id: ID!) { openPost(id: $id) { id status } }'

const [ann, ben, cid] = ['Ann', 'Ben', 'Cid'].map((name, at) => ({ id: String(at + 1), name })) as [
  object,
  object,
  object,
]
const labels = (...all: readonly string[]): object => ({ tags: all.map((label) => ({ label })) })
const card = (id: string, title: string, author: object, ...all: readonly string[]): object => ({
  ...{ id, title, status: 'CLOSED', author, ...labels(...all) },
})
const failed = (message: string): object => ({ errors: [{ message, path: ['it'] }], data: null })

const recorded: readonly Called[] = [
  [USERS, {}, { data: { users: [ann, ben, cid] } }],
  [TAGS, {}, { data: { tags: [{ id: '1', label: 'news', posts: [{ id: '1', title: 'First' }] }] } }],
  [
    LIST,
    {},
    { data: { posts: [{ id: '1', title: 'First', stars: 4, author: { name: 'Ann' }, ...labels('news') }] } },
  ],
  [
    ADD,
    { in: { title: 'Second', authorId: '2', tags: ['food', 'news'] } },
    { data: { addPost: card('2', 'Second', ben, 'food', 'news') } },
  ],
  [ADD, { in: { title: 'Third', authorId: '1', tags: [] } }, { data: { addPost: card('3', 'Third', ann) } }],
  [
    POST,
    { id: '2' },
    { data: { post: { ...card('2', 'Second', ben, 'food', 'news'), noteCount: 0, notes: [] } } },
  ],
  [
    NOTE,
    { postId: '2', text: 'Good' },
    { data: { addNote: { id: '1', text: 'Good', post: { id: '2', noteCount: 1 } } } },
  ],
  [
    POST,
    { id: '2' },
    {
      data: {
        post: {
          ...card('2', 'Second', ben, 'food', 'news'),
          ...{ noteCount: 1, notes: [{ id: '1', text: 'Good' }] },
        },
      },
    },
  ],
  [
    LIST,
    { tag: 'food' },
    {
      data: {
        posts: [{ id: '2', title: 'Second', stars: 0, author: { name: 'Ben' }, ...labels('food', 'news') }],
      },
    },
  ],
  [
    LIST,
    { authorId: '2' },
    {
      data: {
        posts: [{ id: '2', title: 'Second', stars: 0, author: { name: 'Ben' }, ...labels('food', 'news') }],
      },
    },
  ],
  [
    LIST,
    { minStars: 1 },
    { data: { posts: [{ id: '1', title: 'First', stars: 4, author: { name: 'Ann' }, ...labels('news') }] } },
  ],
  [OPEN, { id: '2' }, { data: { openPost: { id: '2', status: 'OPEN' } } }],
  [OPEN, { id: '2' }, failed('Post 2 is open')],
  [
    TAGS,
    {},
    {
      data: {
        tags: [
          {
            id: '1',
            label: 'news',
            posts: ['First', 'Second'].map((title, at) => ({ id: String(at + 1), title })),
          },
          { id: '2', label: 'food', posts: [{ id: '2', title: 'Second' }] },
        ],
      },
    },
  ],
  [DROP, { id: '2' }, failed('User 2 has posts')],
  [DROP, { id: '3' }, { data: { deleteUser: true } }],
  [DROP, { id: '3' }, failed('No user 3')],
]

it('knows objects by what is selected of them, whatever their ids are', () => {
  const answer = serverOf(...recorded)
  answer(ADD, { in: { title: 'Mine', authorId: '3', tags: ['news', 'rain'] } })
  expect(answer(POST, { id: '2' })).toEqual({
    data: { post: { ...card('2', 'Mine', cid, 'news', 'rain'), noteCount: 0, notes: [] } },
  })
  expect(answer(TAGS)).toEqual({
    data: {
      tags: [
        {
          id: '1',
          label: 'news',
          posts: [
            { id: '1', title: 'First' },
            { id: '2', title: 'Mine' },
          ],
        },
        { id: '2', label: 'rain', posts: [{ id: '2', title: 'Mine' }] },
      ],
    },
  })
})

it.each([
  [{ tag: 'rain' }, ['Mine']],
  [{ tag: 'none' }, []],
  [{ authorId: '3' }, ['Mine']],
  [{ minStars: 3 }, ['First']],
])('lists those that have %o', (variables, titles) => {
  const answer = serverOf(...recorded)
  answer(ADD, { in: { title: 'Mine', authorId: '3', tags: ['rain'] } })
  expect(answer(LIST, variables)).toMatchObject({ data: { posts: titles.map((title) => ({ title })) } })
})

it('counts what belongs to an object where a member says how many that is', () => {
  const answer = serverOf(...recorded)
  answer(ADD, { in: { title: 'Mine', authorId: '3', tags: [] } })
  answer(NOTE, { postId: '2', text: 'One' })
  expect(answer(NOTE, { postId: '2', text: 'Two' })).toMatchObject({
    data: { addNote: { text: 'Two', post: { noteCount: 2 } } },
  })
})

it('refuses what is so already, and to remove what others name', () => {
  const answer = serverOf(...recorded)
  answer(ADD, { in: { title: 'Mine', authorId: '3', tags: [] } })
  expect(answer(OPEN, { id: '2' })).toEqual({ data: { openPost: { id: '2', status: 'OPEN' } } })
  expect(answer(OPEN, { id: '2' })).toEqual(failed('Post 2 is open'))
  expect(answer(DROP, { id: '3' })).toEqual(failed('User 3 has posts'))
  expect(answer(DROP, { id: '2' })).toEqual({ data: { deleteUser: true } })
})

const SIGN_UP = 'mutation($in: UserInput!) { signUp(in: $in) { id name role } }'
const LIKE = 'mutation($id: ID!) { likeUser(id: $id) }'
const USER = 'query($id: ID!) { user(id: $id) { id name likes } }'
const invalid = (what: string): object => ({
  errors: [{ message: `Variable "$in" got invalid value; ${what}` }],
})
const missing = invalid('Field "name" of required type "String!" was not provided.')
const unknown = (value: string): object =>
  invalid(`"in.role": Value "${value}" does not exist in "Role" enum.`)
const signedUp = (id: string, name: string, role: string): object => ({
  data: { signUp: { id, name, role } },
})
const user = (id: string, name: string, likes: number): object => ({ data: { user: { id, name, likes } } })
const people: readonly Called[] = [
  ['{ users { id name role } }', {}, { data: { users: [{ id: '1', name: 'Ann', role: 'OWNER' }] } }],
  [SIGN_UP, { in: { name: 'Ben', role: 'GUEST' } }, signedUp('2', 'Ben', 'GUEST')],
  [SIGN_UP, { in: { name: 'Cid', role: 'STAFF' } }, signedUp('3', 'Cid', 'STAFF')],
  [SIGN_UP, { in: { role: 'GUEST' } }, missing],
  [SIGN_UP, { in: { name: 'Dan', role: 'KING' } }, unknown('KING')],
  [USER, { id: '2' }, user('2', 'Ben', 0)],
  [LIKE, { id: '2' }, { data: { likeUser: 1 } }],
  [LIKE, { id: '2' }, { data: { likeUser: 2 } }],
  [USER, { id: '2' }, user('2', 'Ben', 2)],
]

it.each([
  [{ role: 'OWNER' }, missing],
  [{ name: 'Eve', role: 'QUEEN' }, unknown('QUEEN')],
  [{ name: 'Eve', role: 'OWNER' }, signedUp('2', 'Eve', 'OWNER')],
])('takes the values of an enum that are known, and what a type needs: %o', (given, expected) => {
  expect(serverOf(...people)(SIGN_UP, { in: given })).toEqual(expected)
})

it('adds to a number of an object what calls always add', () => {
  const answer = serverOf(...people)
  answer(SIGN_UP, { in: { name: 'Eve', role: 'GUEST' } })
  for (const likes of [1, 2, 3]) expect(answer(LIKE, { id: '2' })).toEqual({ data: { likeUser: likes } })
  expect(answer(USER, { id: '2' })).toEqual(user('2', 'Eve', 3))
})

it('lets answers have no data where calls fail with none', () => {
  const held = { type: 'Post', member: 'author', outcome: { error: { errors: [], data: null } } }
  const route = {
    calls: { protocol: 'GraphQL', calls: { dropUser: { does: 'remove', held } } },
    output: { model: { type: 'object', properties: { data: { type: 'object' } } } },
  } as unknown as Parameters<typeof withOpenOutput>[0]
  expect(withOpenOutput(route).output?.model).toEqual({
    type: 'object',
    properties: { data: { type: ['object', 'null'] } },
  })
})

const PAY = 'mutation($from: ID!, $to: ID!) { pay(from: $from, to: $to) }'

it('keeps the names of those that something is sent to', () => {
  const answer = serverOf(
    ...people,
    [PAY, { from: '2', to: '3' }, { data: { pay: true } }],
    [USER, { id: '3' }, user('3', 'Cid', 0)],
  )
  for (const name of ['Eve', 'Fay']) answer(SIGN_UP, { in: { name, role: 'GUEST' } })
  answer(PAY, { from: '2', to: '3' })
  expect([answer(USER, { id: '2' }), answer(USER, { id: '3' })]).toEqual([
    user('2', 'Eve', 0),
    user('3', 'Fay', 0),
  ])
})

const JOIN = 'mutation($in: JoinInput!) { join(in: $in) { id nick mail note } }'
const joined = (id: string, nick: string, mail: string, note: string): object => ({
  data: { join: { id, nick, mail, note } },
})
const [short, long, noMail, noColor] = [
  'Nick must have at least 3 characters',
  'Nick is too long (maximum is 12 characters)',
  'Mail is not valid',
  'Color is invalid',
].map(failed)
const members: readonly Called[] = [
  [
    JOIN,
    { in: { nick: 'anna', mail: 'anna@mail.example', note: 'Likes long walks' } },
    joined('1', 'anna', 'anna@mail.example', 'Likes long walks'),
  ],
  [
    JOIN,
    { in: { nick: 'ben', mail: 'ben@mail.example', note: 'Sings' } },
    joined('2', 'ben', 'ben@mail.example', 'Sings'),
  ],
  [JOIN, { in: { nick: 'x', mail: 'x@mail.example', note: 'y' } }, short ?? {}],
  [JOIN, { in: { nick: 'maximilian-junior', mail: 'm@mail.example', note: 'Hums' } }, long ?? {}],
  [JOIN, { in: { nick: 'carl', mail: 'nothing', note: 'Hums' } }, noMail ?? {}],
  [
    JOIN,
    { in: { nick: 'emma', mail: 'e@mail.example', note: 'Hums', color: '#ff00aa' } },
    joined('3', 'emma', 'e@mail.example', 'Hums'),
  ],
  [JOIN, { in: { nick: 'emil', mail: 'm@mail.example', note: 'Hums', color: 'red' } }, noColor ?? {}],
]

it.each([
  [{ nick: 'jo', mail: 'jo@mail.example', note: 'n' }, short],
  [{ nick: 'bartholomew-the-4th', mail: 'b@mail.example', note: 'n' }, long],
  [{ nick: 'dora', mail: 'dora at home', note: 'n' }, noMail],
  [{ nick: 'dora', mail: 'd@post.example', note: 'n', color: 'pale blue' }, noColor],
  [{ nick: 'dora', mail: 'dora@post.example', note: 'n' }, joined('1', 'dora', 'dora@post.example', 'n')],
])(
  'refuses texts that are too short or long, or have not the form that others have: %o',
  (given, expected) => {
    expect(serverOf(...members)(JOIN, { in: given })).toEqual(expected)
  },
)

it('counts objects, those too that are never shown, whichever numbers are selected', () => {
  const stats = (all: object): object => ({ data: { stats: all } })
  const answer = serverOf(
    ['{ stats { users accounts quota } }', {}, stats({ users: 1, accounts: 5, quota: 9 })],
    ...people,
    ['{ stats { accounts } }', {}, stats({ accounts: 7 })],
    ['{ stats { all: users } }', {}, stats({ all: 3 })],
  )
  answer(SIGN_UP, { in: { name: 'Eve', role: 'GUEST' } })
  expect(answer('{ stats { quota users sum: accounts } }')).toEqual(stats({ quota: 9, users: 2, sum: 6 }))
})

it('lets what is read be nothing, whatever a call names it', () => {
  const object = { type: 'object', properties: { id: { type: 'string' } } }
  const route = {
    calls: { protocol: 'GraphQL', calls: { user: { does: 'read', missing: { value: null } } } },
    output: {
      model: { type: 'object', properties: { data: { type: 'object', properties: { first: object } } } },
    },
  } as unknown as Parameters<typeof withOpenOutput>[0]
  expect(withOpenOutput(route).output?.model).toMatchObject({
    properties: { data: { properties: { first: { type: ['object', 'null'] } } } },
  })
})
