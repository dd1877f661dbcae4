import { expect, it } from 'vitest'
import { type Called, serverOf } from './graphql-server.ts'

const ADD =
  'mutation($in: TaskInput!) { taskAdd(input: $in) { task { id title list { id name } } userErrors { field message } } }'
const DONE = 'mutation($id: ID!) { taskDone(id: $id) { task { id state } userErrors { field message } } }'
const LISTS = '{ lists { id name } }'
const TASK = 'query($id: ID!) { task(id: $id) { id title state } }'

const added = (id: string, title: string, list: string): object => ({
  data: { taskAdd: { task: { id, title, list: { id: list, name: `List ${list}` } }, userErrors: [] } },
})
const done = (id: string): object => ({
  data: { taskDone: { task: { id, state: 'DONE' }, userErrors: [] } },
})
const failed = (call: string, field: string, message: string): object => ({
  data: { [call]: { task: null, userErrors: [{ field: ['in', field], message }] } },
})
const task = (id: string, title: string, state: string): object => ({ data: { task: { id, title, state } } })
const blank = failed('taskAdd', 'title', 'Title cannot be blank')
const taken = failed('taskAdd', 'title', 'Title has already been taken')
const noList = failed('taskAdd', 'listId', 'List does not exist')
const already = failed('taskDone', 'id', 'Task is done already')
const noTask = failed('taskDone', 'id', 'Task does not exist')

const recorded: readonly Called[] = [
  [LISTS, {}, { data: { lists: ['1', '2'].map((id) => ({ id, name: `List ${id}` })) } }],
  [ADD, { in: { title: 'Paint', listId: '2' } }, added('1', 'Paint', '2')],
  [ADD, { in: { title: 'Sweep', listId: '1' } }, added('2', 'Sweep', '1')],
  [ADD, { in: { title: 'Paint', listId: '1' } }, taken],
  [ADD, { in: { title: '', listId: '2' } }, blank],
  [ADD, { in: { title: 'Cook', listId: '77' } }, noList],
  [TASK, { id: '2' }, task('2', 'Sweep', 'OPEN')],
  [DONE, { id: '2' }, done('2')],
  [DONE, { id: '2' }, already],
  [DONE, { id: '99' }, noTask],
  [TASK, { id: '2' }, task('2', 'Sweep', 'DONE')],
]

it('refuses for the reasons that payloads have as errors', () => {
  const answer = serverOf(...recorded)
  const add = (title: string, listId: string): unknown => answer(ADD, { in: { title, listId } })
  expect(add('Sing', '2')).toEqual(added('1', 'Sing', '2'))
  expect([add('Sing', '1'), add(' ', '1'), add('Rest', '8')]).toEqual([taken, blank, noList])
  expect(answer(DONE, { id: '1' })).toEqual(done('1'))
  expect([answer(DONE, { id: '1' }), answer(DONE, { id: '2' })]).toEqual([already, noTask])
  expect(answer(TASK, { id: '1' })).toEqual(task('1', 'Sing', 'DONE'))
})

it('selects of such errors what a call wants', () => {
  const wanted = 'mutation($id: ID!) { it: taskDone(id: $id) { userErrors { why: message } } }'
  expect(serverOf(...recorded)(wanted, { id: '5' })).toEqual({
    data: { it: { userErrors: [{ why: 'Task does not exist' }] } },
  })
})

it('takes an object that is called an error for one', () => {
  const show =
    'query($id: ID!) { task(id: $id) { __typename ... on Task { id title } ... on NotFoundError { message } } }'
  const found = (id: string): object => ({ data: { task: { __typename: 'Task', id, title: `T${id}` } } })
  const none = (id: string): object => ({
    data: { task: { __typename: 'NotFoundError', message: `No task ${id}` } },
  })
  const answer = serverOf(
    [show, { id: '1' }, found('1')],
    [show, { id: '2' }, found('2')],
    [show, { id: '9' }, none('9')],
  )
  expect([answer(show, { id: '2' }), answer(show, { id: '7' })]).toEqual([found('2'), none('7')])
})
