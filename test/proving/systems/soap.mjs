import soap from 'soap'

export { start } from '../servers/soap.mjs'

const LENT = 'what is lent changes a book that the call only names, and is refused by it'
export const short = { 'held out': LENT, checks: `${LENT}; members that are another's are not copied` }

const VALUES = {
  A: {
    books: [
      ['Dune', 'Herbert', 1965],
      ['Emma', 'Austen', 1815],
      ['Persuasion', 'Austen', 1817],
    ],
    readers: [
      ['Ada', 'ada@example.com'],
      ['Bob', 'bob@example.com'],
    ],
    author: 'Austen',
    none: 99,
    changed: ['Dune Messiah', 'Herbert', 1969],
  },
  B: {
    books: [
      ['Solaris', 'Lem', 1961],
      ['Fiasco', 'Lem', 1986],
      ['Ubik', 'Dick', 1969],
      ['Walden', 'Thoreau', 1854],
    ],
    readers: [['Kim', 'kim@sim.test']],
    author: 'Lem',
    none: 77,
    changed: ['Eden', 'Lem', 1959],
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const client = await check('wsdl', () =>
    soap.createClientAsync(`${base}/library?wsdl`, { endpoint: `${base}/library`, disableCache: true }),
  )
  const step = (name, operation, args, isRight) =>
    check(name, async () => (await client[`${operation}Async`](args))[0], isRight)
  const fails = (text) => (_r, error) => String(error?.message).includes(text)
  const listed = (r) => [r?.book ?? []].flat()
  await step('none yet', 'ListBooks', {}, (r) => listed(r).length === 0)
  await step('count', 'Count', {}, (r) => Number(r.books) === 0)
  const ids = []
  for (const [title, author, year] of v.books)
    ids.push((await step('add', 'AddBook', { title, author, year }, (r) => Number(r.id) > 0))?.id)
  await step('add again', 'AddBook', { title: v.books[0][0], author: 'x', year: 1 }, fails('already'))
  for (const [at, [title, author, year]] of v.books.entries())
    await step(
      'get',
      'GetBook',
      { id: ids[at] },
      ({ book }) =>
        book.title === title &&
        book.author === author &&
        Number(book.year) === year &&
        String(book.lent) === 'false',
    )
  await step('get none', 'GetBook', { id: v.none }, fails(`No book with id ${v.none}`))
  await step('list', 'ListBooks', {}, (r) => listed(r).length === v.books.length)
  await step(
    'by author',
    'ListBooks',
    { author: v.author },
    (r) => listed(r).length === v.books.filter((b) => b[1] === v.author).length,
  )
  const [title, author, year] = v.changed
  await step(
    'update',
    'UpdateBook',
    { id: ids[0], title, author, year },
    ({ book }) => book.title === title && Number(book.year) === year,
  )
  await step('get', 'GetBook', { id: ids[0] }, ({ book }) => book.title === title)
  const readers = []
  for (const [name, email] of v.readers)
    readers.push((await step('add reader', 'AddReader', { name, email }, (r) => Number(r.id) > 0))?.id)
  const loan = await step(
    'lend',
    'Lend',
    { bookId: ids[1], readerId: readers[0] },
    (r) => r.loan.title === v.books[1][0] && String(r.loan.readerId) === String(readers[0]),
  )
  await step('get lent', 'GetBook', { id: ids[1] }, ({ book }) => String(book.lent) === 'true')
  await step('lend again', 'Lend', { bookId: ids[1], readerId: readers[0] }, fails('is lent'))
  await step('lend none', 'Lend', { bookId: v.none, readerId: readers[0] }, fails('No book'))
  await step('loans', 'LoansOf', { readerId: readers[0] }, (r) => [r?.loan ?? []].flat().length === 1)
  await step('delete lent', 'DeleteBook', { id: ids[1] }, fails('is lent'))
  await step('return', 'Return', { loanId: loan?.loan.id }, (r) => String(r.returned) === 'true')
  await step('get', 'GetBook', { id: ids[1] }, ({ book }) => String(book.lent) === 'false')
  await step('return none', 'Return', { loanId: loan?.loan.id }, fails('No loan'))
  await step('loans', 'LoansOf', { readerId: readers[0] }, (r) => [r?.loan ?? []].flat().length === 0)
  await step('delete', 'DeleteBook', { id: ids[2] }, (r) => String(r.deleted) === 'true')
  await step('get none', 'GetBook', { id: ids[2] }, fails('No book'))
  await step('delete none', 'DeleteBook', { id: ids[2] }, fails('No book'))
  await step('list', 'ListBooks', {}, (r) => listed(r).length === v.books.length - 1)
  await step(
    'count',
    'Count',
    {},
    (r) =>
      Number(r.books) === v.books.length - 1 &&
      Number(r.readers) === v.readers.length &&
      Number(r.loans) === 0,
  )
}
