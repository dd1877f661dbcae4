import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { type Called, recordedOf, serverOf } from './graphql-server.ts'

const PEN =
  'query($id: ID!, $whole: Boolean = false) { pen(id: $id) { id color ...more @include(if: $whole) } } fragment more on Pen { color width ink { name } }'
const pen = (id: string, color: string, more: object = {}): object => ({
  data: { pen: { id, color, ...more } },
})
const pens: readonly Called[] = [
  [PEN, { id: '1' }, pen('1', 'red')],
  [PEN, { id: '2', whole: true }, pen('2', 'blue', { width: 3, ink: { name: 'sepia' } })],
  [PEN, { id: '1', whole: true }, pen('1', 'red', { width: 5, ink: { name: 'sumi' } })],
]

it('selects what directives include, once', () => {
  const answer = serverOf(...pens)
  expect(answer(PEN, { id: '2' })).toEqual(pen('2', 'blue'))
  expect(answer(PEN, { id: '2', whole: true })).toEqual(
    pen('2', 'blue', { width: 3, ink: { name: 'sepia' } }),
  )
  expect(answer('{ pen(id: 1) { ink @skip(if: true) { name } id color } }')).toEqual(pen('1', 'red'))
})

it('answers selections that were not recorded by a route of their own, which fails as the server did', () => {
  const lists: Called = ['{ pens { id } }', {}, { data: { pens: [{ id: '1' }, { id: '2' }] } }]
  const restIn = (...all: readonly Called[]): unknown =>
    inferRoutes(recordedOf(...all)).routes.find(({ when }) => when === undefined)
  expect(restIn(...pens, lists)).toMatchObject({ status: 400, calls: { calls: { pen: { does: 'read' } } } })
  const message = 'Cannot query field "size" on type "Pen".'
  const wrong: Called = ['{ pens { size } }', {}, { errors: [{ message }] }]
  expect(restIn(...pens, lists, wrong)).toMatchObject({ samples: [{ response: wrong[2] }] })
})

it('divides operations where a text that cannot be read was answered with 200, too', () => {
  const broken: Called = ['{ pens { id', {}, { errors: [{ message: 'Syntax Error: Expected Name.' }] }]
  const { routes } = inferRoutes(recordedOf(...pens, broken))
  expect(routes.find(({ when }) => when !== undefined)).toMatchObject({
    calls: { calls: { pen: { does: 'read' } } },
  })
})

const SHELF = 'query($id: ID!) { shelf(id: $id) { id name books { id title } } }'
const BOOK = 'query($id: ID!) { book(id: $id) { id title shelf { id name } notes { id text } } }'
const ADD =
  'mutation($in: BookInput!, $tag: String) { addBook(input: $in, clientMutationId: $tag) { ok clientMutationId book { id title shelf { id name } } } }'
const NOTE =
  'mutation($bookId: ID!, $text: String!) { addNote(bookId: $bookId, text: $text) { note { id text } } }'
const REMOVE = 'mutation($id: ID!) { removeBook(id: $id) { ok deletedId } }'
const [wood, iron] = [
  { id: 's1', name: 'Wood' },
  { id: 's2', name: 'Iron' },
]
const book = (id: string, title: string): object => ({ id, title })
const library: readonly Called[] = [
  [SHELF, { id: 's1' }, { data: { shelf: { ...wood, books: [book('1', 'Dune'), book('2', 'Emma')] } } }],
  [SHELF, { id: 's2' }, { data: { shelf: { ...iron, books: [book('3', 'Hamlet')] } } }],
  [BOOK, { id: '1' }, { data: { book: { ...book('1', 'Dune'), shelf: wood, notes: [] } } }],
  ['{ newest { id name } }', {}, { data: { newest: iron } }],
  [
    ADD,
    { in: { title: 'Ulysses', shelfId: 's2' }, tag: 'x' },
    {
      data: { addBook: { ok: true, clientMutationId: 'x', book: { ...book('4', 'Ulysses'), shelf: iron } } },
    },
  ],
  [
    ADD,
    { in: { title: 'Faust', shelfId: 's1' } },
    { data: { addBook: { ok: true, clientMutationId: null, book: { ...book('5', 'Faust'), shelf: wood } } } },
  ],
  [
    ADD,
    { in: { title: 'Lost', shelfId: 's9' }, tag: 'y' },
    { data: { addBook: { ok: false, clientMutationId: 'y', book: null } } },
  ],
  [
    ADD,
    { in: { title: ' ', shelfId: 's1' } },
    { data: { addBook: null }, errors: [{ message: 'No title', extensions: { code: 'BAD' } }] },
  ],
  [NOTE, { bookId: '4', text: 'Long' }, { data: { addNote: { note: { id: 'n1', text: 'Long' } } } }],
  [
    BOOK,
    { id: '4' },
    { data: { book: { ...book('4', 'Ulysses'), shelf: iron, notes: [{ id: 'n1', text: 'Long' }] } } },
  ],
  [REMOVE, { id: '5' }, { data: { removeBook: { ok: true, deletedId: '5' } } }],
]

it('shows objects under those that they belong to, whichever side of it was recorded', () => {
  const answer = serverOf(...library)
  expect(answer('{ book(id: 3) { title shelf { name } } }')).toEqual({
    data: { book: { title: 'Hamlet', shelf: { name: 'Iron' } } },
  })
  const made = { ...book('4', 'Candide'), shelf: iron }
  expect(answer(ADD, { in: { title: 'Candide', shelfId: 's2' }, tag: 'q' })).toEqual({
    data: { addBook: { ok: true, clientMutationId: 'q', book: made } },
  })
  expect(answer('{ shelf(id: "s2") { books { id } } }')).toEqual({
    data: { shelf: { books: [{ id: '3' }, { id: '4' }] } },
  })
  answer(NOTE, { bookId: '4', text: 'Short' })
  expect(answer('{ book(id: 4) { notes { text } } }')).toEqual({
    data: { book: { notes: [{ text: 'Short' }] } },
  })
  expect(answer(REMOVE, { id: '4' })).toEqual({ data: { removeBook: { ok: true, deletedId: '4' } } })
  expect(answer('{ shelf(id: "s2") { books { id } } }')).toEqual({
    data: { shelf: { books: [{ id: '3' }] } },
  })
  expect(answer('{ newest { id books { id } } }')).toEqual({
    data: { newest: { id: 's2', books: [{ id: '3' }] } },
  })
})

it('knows what was made after what it belongs to', () => {
  const add = 'mutation($in: BookInput!) { addBook(input: $in) { shelf { id } book { id title } } }'
  const remove = 'mutation($id: ID!) { removeBook(id: $id) { deletedId } }'
  const made = (shelf: string, of: object): object => ({
    data: { addBook: { shelf: { id: shelf }, book: of } },
  })
  const answer = serverOf(
    library[0] as Called,
    library[1] as Called,
    [add, { in: { title: 'Ulysses', shelfId: 's2' } }, made('s2', book('4', 'Ulysses'))],
    [add, { in: { title: 'Faust', shelfId: 's1' } }, made('s1', book('5', 'Faust'))],
    [remove, { id: '5' }, { data: { removeBook: { deletedId: '5' } } }],
    ['query($id: ID!) { book(id: $id) { id title } }', { id: '5' }, { data: { book: null } }],
    ['query($id: ID!) { book(id: $id) { id title } }', { id: '4' }, { data: { book: book('4', 'Ulysses') } }],
  )
  expect(answer(add, { in: { title: 'Candide', shelfId: 's2' } })).toEqual(made('s2', book('4', 'Candide')))
  expect(answer(remove, { id: '4' })).toEqual({ data: { removeBook: { deletedId: '4' } } })
  expect(answer('{ book(id: 4) { title } }')).toEqual({ data: { book: null } })
})

it('refuses what names no object and what says nothing, as the server did', () => {
  const answer = serverOf(...library)
  expect(answer(ADD, { in: { title: 'Odd', shelfId: 's7' }, tag: 'z' })).toEqual({
    data: { addBook: { ok: false, clientMutationId: 'z', book: null } },
  })
  expect(answer(ADD, { in: { title: '', shelfId: 's2' } })).toEqual(library[7]?.[2])
  expect(answer('{ shelf(id: "s2") { books { id } } }')).toEqual({
    data: { shelf: { books: [{ id: '3' }] } },
  })
})

it('chooses and orders by conditions and directions that were not recorded', () => {
  const WARES =
    'query($w: Filter, $o: [Order!]) { wares(where: $w, order_by: $o) { id name price maker { id name } } }'
  const [ada, bob] = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ]
  const [pot, cup, jug] = [
    { id: 1, name: 'Pot', price: 9, maker: ada },
    { id: 2, name: 'Cup', price: 4, maker: bob },
    { id: 3, name: 'Jug', price: 12.5, maker: bob },
  ]
  const wares = (...all: readonly object[]): object => ({ data: { wares: all } })
  const answer = serverOf(
    [WARES, {}, wares(pot, cup, jug)],
    [WARES, { w: { price: { _lt: 10 } }, o: [{ price: 'asc' }] }, wares(cup, pot)],
    [WARES, { w: { maker_id: { _eq: 1 } } }, wares(pot)],
  )
  expect(answer(WARES, { w: { maker_id: { _eq: 2 } }, o: [{ name: 'desc' }] })).toEqual(wares(jug, cup))
  expect(answer(WARES, { w: { maker: { name: { _ilike: 'b%' } }, price: { _gte: 12.5 } } })).toEqual(
    wares(jug),
  )
})
