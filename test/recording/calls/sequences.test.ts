import { expect, it } from 'vitest'
import { type Called, serverOf } from './graphql-server.ts'

const OPEN = 'mutation($key: String!) { openBoard(key: $key) { id key } }'
const ADD =
  'mutation($boardId: ID!, $title: String!) { addCard(boardId: $boardId, title: $title) { id number code title board { id } } }'
const CARD = 'query($code: String!) { card(code: $code) { id title } }'

const opened = (id: string, key: string): object => ({ data: { openBoard: { id, key } } })
const added = (id: string, number: number, code: string, title: string, board: string): object => ({
  data: { addCard: { id, number, code, title, board: { id: board } } },
})
const recorded: readonly Called[] = [
  [OPEN, { key: 'HR' }, opened('b1', 'HR')],
  [OPEN, { key: 'OPS' }, opened('b2', 'OPS')],
  ...['Hire', 'Teach', 'Greet'].map((title, at): Called => [
    ADD,
    { boardId: 'b1', title },
    added(`c${at + 1}`, at + 1, `HR-${at + 1}`, title, 'b1'),
  ]),
  [ADD, { boardId: 'b2', title: 'Back up' }, added('c4', 1, 'OPS-1', 'Back up', 'b2')],
  [CARD, { code: 'HR-2' }, { data: { card: { id: 'c2', title: 'Teach' } } }],
  [CARD, { code: 'OPS-1' }, { data: { card: { id: 'c4', title: 'Back up' } } }],
]

it('numbers objects below each one that they belong to, and makes names of it', () => {
  const answer = serverOf(...recorded)
  const idOf = (key: string): string =>
    (answer(OPEN, { key }) as { data: { openBoard: { id: string } } }).data.openBoard.id
  const [qa, it] = ['QA', 'IT'].map(idOf)
  const made = [
    [qa, 'Try'],
    [qa, 'Test'],
    [it, 'Wire'],
  ].map(([boardId, title]) => answer(ADD, { boardId, title }))
  expect(made).toMatchObject(
    [
      [1, 'QA-1'],
      [2, 'QA-2'],
      [1, 'IT-1'],
    ].map(([number, code]) => ({ data: { addCard: { number, code } } })),
  )
  expect(answer(CARD, { code: 'QA-2' })).toMatchObject({ data: { card: { title: 'Test' } } })
})
