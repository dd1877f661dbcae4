import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { awsJson } from '../../../src/recording/protocols/aws-json.ts'
import { sample } from '../inference/samples.ts'

const headersOf = (call: string): Record<string, string> => ({ 'x-amz-target': `Library_1.${call}` })
let index = 0
const said = (call: string, body: object, response: object, status = 200) =>
  sample(index++, 'POST /', { body, response, status }, headersOf(call))
const book = (id: number, title: string, active = true) => ({ id, title, author: 'Lem', active })
const loan = (id: number, bookId: number) => ({ id, bookId, note: 'lent' })
const none = (what: string, id: number) => ({ code: 'Client', text: `No ${what} with id ${id}` })

const RECORDED = [
  said('ListBooks', {}, { book: [] }),
  ...['Fiasco', 'Solaris', 'Eden'].map((title, at) =>
    said('AddBookRequest', { title, author: 'Lem' }, { id: at + 1 }),
  ),
  said('GetBookRequest', { id: 1 }, { book: book(1, 'Fiasco') }),
  said('GetBookRequest', { id: 2 }, { book: book(2, 'Solaris') }),
  said('GetBookRequest', { id: 9 }, none('book', 9), 400),
  said('SuspendBookRequest', { id: 2 }, { done: true }),
  said('GetBookRequest', { id: 2 }, { book: book(2, 'Solaris', false) }),
  said('ResumeBookRequest', { id: 2 }, { done: true }),
  said('GetBookRequest', { id: 2 }, { book: book(2, 'Solaris') }),
  said('LendRequest', { bookId: 1, note: 'lent' }, { loan: loan(71, 1) }),
  said('LendRequest', { bookId: 9, note: 'lent' }, none('book', 9), 400),
  said('LoansRequest', {}, { loan: [loan(71, 1)] }),
  said('DeleteBookRequest', { id: 1 }, { code: 'Client', text: 'Book 1 is lent' }, 400),
  said('ReturnRequest', { loanId: 71 }, { done: true }),
  said('ReturnRequest', { loanId: 71 }, none('loan', 71), 400),
  said('LoansRequest', {}, { loan: [] }),
  said('GetBookRequest', { id: 1 }, { book: book(1, 'Fiasco') }),
  said('DeleteBookRequest', { id: 3 }, { done: true }),
  said('DeleteBookRequest', { id: 3 }, none('book', 3), 400),
  said('ListBooks', {}, { book: [book(1, 'Fiasco'), book(2, 'Solaris')] }),
]

it('learns what calls did that say only that it was done', () => {
  const model = inferCalls(RECORDED, awsJson)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const call = (name: string, body: object): unknown =>
    answerCalls(model, all, { headers: headersOf(name), query: {}, body }, { seed: '', now: 0 })?.body
  // What is made is called as the request, and read by what it is.
  const add = call('AddBookRequest', { title: 'Ubik', author: 'Lem' }) as { readonly id: number }
  const { id } = add
  expect(call('GetBookRequest', { id })).toEqual({ book: book(id, 'Ubik') })
  // What was otherwise before and after.
  expect(call('SuspendBookRequest', { id })).toEqual({ done: true })
  expect(call('GetBookRequest', { id })).toEqual({ book: book(id, 'Ubik', false) })
  expect(call('ResumeBookRequest', { id })).toEqual({ done: true })
  expect(call('GetBookRequest', { id })).toEqual({ book: book(id, 'Ubik') })
  // What is named has to be there, and what was never seen again and refused again is gone.
  expect(call('LendRequest', { bookId: 44, note: 'lent' })).toEqual(none('book', 44))
  const lent = call('LendRequest', { bookId: id, note: 'lent' }) as { readonly loan: ReturnType<typeof loan> }
  expect(lent.loan).toMatchObject({ bookId: id })
  expect(call('ReturnRequest', { loanId: lent.loan.id })).toEqual({ done: true })
  expect(call('ReturnRequest', { loanId: lent.loan.id })).toEqual(none('loan', lent.loan.id))
  expect(call('LoansRequest', {})).toEqual({ loan: [] })
  // It was refused for another reason while it was there.
  expect(call('DeleteBookRequest', { id })).toEqual({ done: true })
  expect(call('DeleteBookRequest', { id })).toEqual(none('book', id))
})
