import { expect, it } from 'vitest'
import { type Called, serverOf } from './graphql-server.ts'

const ITEMS = '{ products { id name } }'
const PLACE =
  'mutation($in: OrderInput!) { placeOrder(input: $in) { id title lines { count product { name } } } }'
const ORDER = 'query($id: ID!) { order(id: $id) { id title lines { id count product { id name } } } }'
const ADD =
  'mutation($id: ID!, $line: LineInput!) { addLine(orderId: $id, input: $line) { id count product { name } order { id } } }'

const names = ['Nail', 'Rope', 'Lamp']
const item = (id: number): object => ({ id: String(id), name: names[id - 1] })
const line = (id: number, count: number, of: number): object => ({ id: String(id), count, product: item(of) })
const order = (id: number, title: string, ...lines: readonly object[]): object => ({
  data: { order: { id: String(id), title, lines } },
})
const placed = (id: number, title: string, ...lines: readonly (readonly [number, number])[]): object => ({
  data: {
    placeOrder: {
      ...{ id: String(id), title },
      lines: lines.map(([count, of]) => ({ count, product: { name: names[of - 1] } })),
    },
  },
})
const added = (id: number, count: number, of: number, orderId: string): object => ({
  data: { addLine: { id: String(id), count, product: { name: names[of - 1] }, order: { id: orderId } } },
})

const recorded: readonly Called[] = [
  [ITEMS, {}, { data: { products: [1, 2, 3].map(item) } }],
  [ORDER, { id: '1' }, order(1, 'Old', line(1, 5, 2))],
  [PLACE, { in: { title: 'First' } }, placed(2, 'First')],
  [ORDER, { id: '2' }, order(2, 'First')],
  [ADD, { id: '2', line: { count: 7, productId: '1' } }, added(2, 7, 1, '2')],
  [
    PLACE,
    {
      in: {
        title: 'Second',
        lines: [
          { count: 3, productId: '3' },
          { count: 7, productId: '1' },
        ],
      },
    },
    placed(3, 'Second', [3, 3], [7, 1]),
  ],
  [ORDER, { id: '2' }, order(2, 'First', line(2, 7, 1))],
  [ORDER, { id: '3' }, order(3, 'Second', line(3, 3, 3), line(4, 7, 1))],
  [ADD, { id: '3', line: { count: 1, productId: '2' } }, added(5, 1, 2, '3')],
  [ORDER, { id: '3' }, order(3, 'Second', line(3, 3, 3), line(4, 7, 1), line(5, 1, 2))],
]

it('makes the objects that a new one is given with it', () => {
  const answer = serverOf(...recorded)
  expect(answer(PLACE, { in: { title: 'Mine', lines: [{ count: 9, productId: '2' }] } })).toEqual(
    placed(2, 'Mine', [9, 2]),
  )
  expect(answer(PLACE, { in: { title: 'Bare' } })).toEqual(placed(3, 'Bare'))
  expect(answer(ADD, { id: '3', line: { count: 6, productId: '3' } })).toEqual(added(3, 6, 3, '3'))
  expect(answer(ORDER, { id: '2' })).toEqual(order(2, 'Mine', line(2, 9, 2)))
  expect(answer(ORDER, { id: '3' })).toEqual(order(3, 'Bare', line(3, 6, 3)))
  expect(answer(ORDER, { id: '1' })).toEqual(order(1, 'Old', line(1, 5, 2)))
})

const MAKE =
  'mutation($in: TicketInput!) { makeTicket(input: $in) { id title owner { id name } labels { id text } } }'
const EDIT = 'mutation($id: ID!, $in: TicketEdit!) { editTicket(id: $id, input: $in) { id title } }'
const TICKET = 'query($id: ID!) { ticket(id: $id) { id title owner { id name } labels { id text } } }'
const owners = ['Ann', 'Ben', 'Cid'].map((name, at) => ({ id: `u${at + 1}`, name }))
const texts = ['red', 'new', 'big'].map((text, at) => ({ id: `l${at + 1}`, text }))
const ticket = (id: string, title: string, owner: number, ...labels: readonly number[]): object => ({
  ...{ id, title, owner: owners[owner] ?? null },
  labels: labels.map((at) => texts[at]),
})
const tickets: readonly Called[] = [
  ['{ users { id name } }', {}, { data: { users: owners } }],
  ['{ labels { id text } }', {}, { data: { labels: texts } }],
  [
    MAKE,
    { in: { title: 'Leak', ownerId: 'u2', labelIds: ['l1', 'l3'] } },
    { data: { makeTicket: ticket('1', 'Leak', 1, 0, 2) } },
  ],
  [MAKE, { in: { title: 'Hum' } }, { data: { makeTicket: ticket('2', 'Hum', -1) } }],
  [
    EDIT,
    { id: '2', in: { ownerId: 'u3', labelIds: ['l2'] } },
    { data: { editTicket: { id: '2', title: 'Hum' } } },
  ],
  [TICKET, { id: '2' }, { data: { ticket: ticket('2', 'Hum', 2, 1) } }],
]

it('takes ids for the objects that have them, one or several', () => {
  const answer = serverOf(...tickets)
  expect(answer(MAKE, { in: { title: 'Rust', ownerId: 'u1', labelIds: ['l2', 'l3'] } })).toEqual({
    data: { makeTicket: ticket('1', 'Rust', 0, 1, 2) },
  })
  answer(EDIT, { id: '1', in: { ownerId: 'u2', labelIds: ['l1'] } })
  expect(answer(TICKET, { id: '1' })).toEqual({ data: { ticket: ticket('1', 'Rust', 1, 0) } })
})

it('gives what is left out the value that it had when it was left out', () => {
  const call = 'mutation($in: JobInput!) { makeJob(input: $in) { id name rank } }'
  const job = (id: number, name: string, rank: string): object => ({
    data: { makeJob: { id: String(id), name, rank } },
  })
  const answer = serverOf(
    [call, { in: { name: 'Dig', rank: 'HIGH' } }, job(1, 'Dig', 'HIGH')],
    [call, { in: { name: 'Mow', rank: 'HIGH' } }, job(2, 'Mow', 'HIGH')],
    [call, { in: { name: 'Nap' } }, job(3, 'Nap', 'PLAIN')],
  )
  expect(answer(call, { in: { name: 'Saw' } })).toEqual(job(1, 'Saw', 'PLAIN'))
})

it('takes what the only entry of a list gives for members of the object, and not its id', () => {
  const make = 'mutation($in: WareInput!) { createWare(input: $in) { id name slug price } }'
  const read = 'query($id: ID!) { ware(id: $id) { id name slug price } }'
  const texts = (name: string) => [{ id: '9', language: 'en', name, slug: name.toLowerCase() }]
  const ware = (id: string, name: string, price: number) => ({ id, name, slug: name.toLowerCase(), price })
  const made = (id: string, name: string, price: number): readonly Called[] => [
    [make, { in: { price, translations: texts(name) } }, { data: { createWare: ware(id, name, price) } }],
    [read, { id }, { data: { ware: ware(id, name, price) } }],
  ]
  const answer = serverOf(...made('1', 'Bolt', 5), ...made('2', 'Nut', 7))
  const input = { in: { price: 11, translations: texts('Screw') } }
  expect(answer(make, input)).toEqual({ data: { createWare: ware('1', 'Screw', 11) } })
  expect(answer(read, { id: '1' })).toEqual({ data: { ware: ware('1', 'Screw', 11) } })
})
