import { expect, it } from 'vitest'
import { type Called, serverOf } from './graphql-server.ts'

const code = (text: string): string => Buffer.from(text).toString('base64')
const authors = { 1: 'Le Guin', 2: 'Lem' } as const

interface Book {
  readonly id: number
  readonly title: string
  readonly pages: number
  readonly inPrint: boolean
  readonly author: keyof typeof authors
}

const bookOf = (
  id: number,
  title: string,
  pages: number,
  author: Book['author'],
  inPrint: boolean,
): Book => ({ ...{ id, title, pages }, ...{ author, inPrint } })
const stored = [
  bookOf(1, 'The Dispossessed', 387, 1, true),
  bookOf(2, 'Solaris', 204, 2, true),
  bookOf(3, 'Earthsea', 205, 1, true),
  bookOf(4, 'Fiasco', 322, 2, false),
  bookOf(5, 'Eden', 276, 2, true),
]

const shown = ({ id, title, pages, inPrint }: Book): object => ({
  ...{ id, title, pages, inPrint },
  nodeId: code(`["books",${id}]`),
})

const LIST =
  'query($first: Int, $after: Cursor, $condition: C, $orderBy: [O!]) { books(first: $first, after: $after, condition: $condition, orderBy: $orderBy) { totalCount edges { cursor node { id title pages inPrint nodeId } } } }'
const list = (of: readonly Book[], { total = of.length, by = 'id' } = {}): object => ({
  data: {
    books: {
      totalCount: total,
      edges: of.map((book) => ({
        cursor: code(by === 'id' ? `["id_asc",[${book.id}]]` : `["pages_desc",[${book.pages},${book.id}]]`),
        node: shown(book),
      })),
    },
  },
})
const ONE = 'query($id: Int!) { bookById(id: $id) { id title author { id name } } }'
const one = ({ id, title, author }: Book): object => ({
  data: { bookById: { id, title, author: { id: author, name: authors[author] } } },
})
const TITLED = 'query($title: String!) { bookByTitle(title: $title) { id title pages } }'
const NODE = 'query($nodeId: ID!) { book(nodeId: $nodeId) { id title } }'
const ADD =
  'mutation($input: I!) { createBook(input: $input) { book { id nodeId title pages inPrint author { id name } } } }'
const added = (book: Book): object => ({
  data: { createBook: { book: { ...shown(book), author: { id: book.author, name: authors[book.author] } } } },
})
const taken = {
  errors: [{ message: 'duplicate key value violates unique constraint "book_title_key"' }],
  data: { createBook: null },
}
const input = ({ title, pages, author }: Book): object => ({
  input: { book: { title, pages, authorId: author } },
})
const [first, second, third, fourth, fifth] = stored as [Book, Book, Book, Book, Book]
const made = bookOf(6, 'Malafrena', 369, 1, true)
const last = bookOf(7, 'Golem', 120, 2, true)
const recorded: readonly Called[] = [
  [LIST, {}, list(stored)],
  [LIST, { first: 2 }, list([first, second], { total: 5 })],
  [LIST, { first: 2, after: code('["id_asc",[2]]') }, list([third, fourth], { total: 5 })],
  ...stored.map((book): Called => [ONE, { id: book.id }, one(book)]),
  [LIST, { condition: { authorId: 1 } }, list([first, third])],
  [LIST, { condition: { inPrint: true } }, list([first, second, third, fifth])],
  [LIST, { orderBy: ['PAGES_DESC'], first: 2 }, list([first, fourth], { total: 5, by: 'pages' })],
  [TITLED, { title: 'Solaris' }, { data: { bookByTitle: { id: 2, title: 'Solaris', pages: 204 } } }],
  [TITLED, { title: 'None' }, { data: { bookByTitle: null } }],
  [ADD, input(made), added(made)],
  [ADD, input(made), taken],
  [NODE, { nodeId: code('["books",6]') }, { data: { book: { id: 6, title: 'Malafrena' } } }],
  [ADD, input(last), added(last)],
]

it('filters a list by what the arguments of those that were recorded have in common', () => {
  const answer = serverOf(...recorded)
  expect(answer(LIST, { condition: { authorId: 2 } })).toEqual(list([second, fourth, fifth]))
  expect(answer(LIST, { condition: { inPrint: false } })).toEqual(list([fourth]))
})

it('pages and orders lists whose tokens say what they are ordered by', () => {
  const answer = serverOf(...recorded)
  expect(answer(LIST, { first: 3, after: code('["id_asc",[1]]') })).toEqual(
    list([second, third, fourth], { total: 5 }),
  )
  expect(answer(LIST, { orderBy: ['PAGES_ASC'] })).toMatchObject({
    data: { books: { edges: [second, third, fifth, fourth, first].map((book) => ({ node: shown(book) })) } },
  })
})

it('reads an object by another member than its id', () => {
  const answer = serverOf(...recorded)
  expect(answer(TITLED, { title: 'Eden' })).toEqual({
    data: { bookByTitle: { id: 5, title: 'Eden', pages: 276 } },
  })
  expect(answer(TITLED, { title: 'Other' })).toEqual({ data: { bookByTitle: null } })
  expect(answer(NODE, { nodeId: code('["books",4]') })).toEqual({
    data: { book: { id: 4, title: 'Fiasco' } },
  })
})

it('makes what is in base64 of the id, and refuses what is there already', () => {
  const answer = serverOf(...recorded)
  const other = bookOf(6, 'Always Coming Home', 523, 1, true)
  expect(answer(ADD, input(other))).toEqual(added(other))
  expect(answer(NODE, { nodeId: code('["books",6]') })).toEqual({
    data: { book: { id: 6, title: other.title } },
  })
  expect(answer(ADD, input({ ...other, pages: 1 }))).toEqual(taken)
  expect(answer(ADD, input({ ...other, title: 'Solaris' }))).toEqual(taken)
})

it('knows by their arguments the objects of which no id is selected', () => {
  const cities = [
    { id: '1', name: 'Rome' },
    { id: '2', name: 'Oslo' },
    { id: '3', name: 'Lima' },
  ]
  const TWO =
    'query($a: ID!, $b: ID!) { first: City(id: $a) { ...C } second: City(id: $b) { ...C } } fragment C on City { name coastal }'
  const REPORT =
    'mutation($city: ID!, $note: String!) { createReport(city_id: $city, note: $note) { id City { name } } }'
  const report = (id: string, name: string): object => ({ data: { createReport: { id, City: { name } } } })
  const answer = serverOf(
    ['{ allCities { id name } }', {}, { data: { allCities: cities } }],
    [
      TWO,
      { a: 1, b: 2 },
      { data: { first: { name: 'Rome', coastal: false }, second: { name: 'Oslo', coastal: true } } },
    ],
    [REPORT, { city: 2, note: 'cold' }, report('10', 'Oslo')],
  )
  expect(answer('query($id: ID!) { City(id: $id) { coastal name } }', { id: 2 })).toEqual({
    data: { City: { coastal: true, name: 'Oslo' } },
  })
  expect(answer('query($id: ID!) { City(id: $id) { name } }', { id: 3 })).toEqual({
    data: { City: { name: 'Lima' } },
  })
  expect(answer(REPORT, { city: 3, note: 'dry' })).toEqual(report('10', 'Lima'))
})

it('makes up objects that were counted and not shown, so that there are as many', () => {
  const PAGE =
    'query($page: Int) { allPens(page: $page, perPage: 2) { id name ink { id } } _allPensMeta { count } }'
  const pen = (id: number): object => ({ id: String(id), name: `Pen ${id}`, ink: { id: `i${id}` } })
  const page = (ids: readonly number[], count = 7): object => ({
    data: { allPens: ids.map(pen), _allPensMeta: { count } },
  })
  const COUNT = '{ _allPensMeta { count } }'
  const answer = serverOf(
    [PAGE, { page: 0 }, page([1, 2])],
    [PAGE, { page: 3 }, page([7])],
    [COUNT, {}, { data: { _allPensMeta: { count: 7 } } }],
  )
  expect(answer(PAGE, { page: 3 })).toEqual(page([7]))
  expect(answer(COUNT)).toEqual({ data: { _allPensMeta: { count: 7 } } })
  const ink = { id: expect.stringMatching(/^i\d$/) as string }
  expect(answer(PAGE, { page: 1 })).toMatchObject({
    data: { allPens: [3, 4].map((id) => ({ id: String(id), name: `Pen ${id}`, ink })) },
  })
})

it('filters by members of objects within, and lists none that were made together later', () => {
  const PENS = 'query($where: PB) { pens(where: $where) { id size box { id name } } }'
  const boxes = { b1: { id: 'b1', name: 'Oak' }, b2: { id: 'b2', name: 'Tin' } }
  const penOf = (id: string, size: number, box: keyof typeof boxes): object => ({
    ...{ id, size },
    box: boxes[box],
  })
  const [one, two, three] = [penOf('p1', 3, 'b1'), penOf('p2', 5, 'b2'), penOf('p3', 7, 'b2')] as const
  const pens = (...of: readonly object[]): object => ({ data: { pens: of } })
  const answer = serverOf(
    [PENS, {}, pens(one, two, three)],
    [PENS, { where: { size: { _gt: 4 } } }, pens(two, three)],
    [PENS, { where: { box: { name: { _eq: 'Tin' } } } }, pens(two, three)],
    [
      'mutation($objects: [PI!]!) { insert_pens(objects: $objects) { affected_rows returning { id size } } }',
      { objects: [{ size: 9, box: 'b1' }] },
      { data: { insert_pens: { affected_rows: 1, returning: [{ id: 'p4', size: 9 }] } } },
    ],
  )
  expect(answer(PENS, { where: { box: { name: { _eq: 'Oak' } } } })).toEqual(pens(one))
  expect(answer(PENS, { where: { size: { _lt: 6 } } })).toEqual(pens(one, two))
  expect(answer(PENS)).toEqual(pens(one, two, three))
})

it('lists in the order of the numbers in ids, and counts whatever else a result says', () => {
  const answer = serverOf(
    ['{ pen(id: "p10") { id size } }', {}, { data: { pen: { id: 'p10', size: 4 } } }],
    ['{ pens { id size } }', {}, { data: { pens: ['p2', 'p9', 'p10'].map((id) => ({ id, size: 4 })) } }],
    ['{ pens_aggregate { count } }', {}, { data: { pens_aggregate: { count: 3 } } }],
    ['{ pens_aggregate { count max } }', {}, { data: { pens_aggregate: { count: 3, max: 4 } } }],
  )
  expect(answer('{ pens { id } }')).toEqual({ data: { pens: ['p2', 'p9', 'p10'].map((id) => ({ id })) } })
  expect(answer('{ pens_aggregate { max count } }')).toEqual({
    data: { pens_aggregate: { max: 4, count: 3 } },
  })
})
