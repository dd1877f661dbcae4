import { createServer } from 'node:http'
import soap from 'soap'
import { listenHere } from '../server.ts'

const NAMESPACE = 'urn:library'
const FIELDS = {
  AddBook: [['title', 'author', 'year:int'], ['id:int']],
  GetBook: [['id:int'], ['book:tns:Book']],
  ListBooks: [['author?'], ['book:tns:Book*']],
  UpdateBook: [['id:int', 'title', 'author', 'year:int'], ['book:tns:Book']],
  DeleteBook: [['id:int'], ['deleted:boolean']],
  AddReader: [['name', 'email'], ['id:int']],
  Lend: [['bookId:int', 'readerId:int'], ['loan:tns:Loan']],
  Return: [['loanId:int'], ['returned:boolean']],
  LoansOf: [['readerId:int'], ['loan:tns:Loan*']],
  Count: [[], ['books:int', 'readers:int', 'loans:int']],
}
const TYPES = {
  Book: ['id:int', 'title', 'author', 'year:int', 'lent:boolean'],
  Loan: ['id:int', 'bookId:int', 'readerId:int', 'title'],
}

function element(field) {
  const [, name, type = 'string', mark] = /^(\w+?)(?::(.+?))?([?*]?)$/.exec(field)
  const kind = type.startsWith('tns:') ? type : `xsd:${type}`
  const most = mark === '*' ? ' minOccurs="0" maxOccurs="unbounded"' : mark === '?' ? ' minOccurs="0"' : ''
  return `<xsd:element name="${name}" type="${kind}"${most}/>`
}
const sequence = (fields) => `<xsd:sequence>${fields.map(element).join('')}</xsd:sequence>`
const wsdl = (url) => `<?xml version="1.0"?>
<definitions name="Library" targetNamespace="${NAMESPACE}" xmlns="http://schemas.xmlsoap.org/wsdl/"
 xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:tns="${NAMESPACE}" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
<types><xsd:schema targetNamespace="${NAMESPACE}" elementFormDefault="qualified">
${Object.entries(TYPES)
  .map(([name, fields]) => `<xsd:complexType name="${name}">${sequence(fields)}</xsd:complexType>`)
  .join('')}
${Object.entries(FIELDS)
  .map(
    ([name, [given, answered]]) =>
      `<xsd:element name="${name}Request"><xsd:complexType>${sequence(given)}</xsd:complexType></xsd:element>` +
      `<xsd:element name="${name}Response"><xsd:complexType>${sequence(answered)}</xsd:complexType></xsd:element>`,
  )
  .join('')}
</xsd:schema></types>
${Object.keys(FIELDS)
  .map(
    (name) =>
      `<message name="${name}In"><part name="body" element="tns:${name}Request"/></message>` +
      `<message name="${name}Out"><part name="body" element="tns:${name}Response"/></message>`,
  )
  .join('')}
<portType name="LibraryPort">${Object.keys(FIELDS)
  .map(
    (name) =>
      `<operation name="${name}"><input message="tns:${name}In"/><output message="tns:${name}Out"/></operation>`,
  )
  .join('')}</portType>
<binding name="LibraryBinding" type="tns:LibraryPort">
<soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
${Object.keys(FIELDS)
  .map(
    (name) =>
      `<operation name="${name}"><soap:operation soapAction="${NAMESPACE}#${name}"/>` +
      '<input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation>',
  )
  .join('')}
</binding>
<service name="Library"><port name="LibraryPort" binding="tns:LibraryBinding">
<soap:address location="${url}/library"/></port></service></definitions>`

function service() {
  const books = new Map()
  const readers = new Map()
  const loans = new Map()
  let ids = 0
  const fault = (code, text) => ({
    Fault: { faultcode: `soap:${code}`, faultstring: text, statusCode: 500 },
  })
  const number = (value) => Number(value)
  const bookOf = (id) => {
    const book = books.get(number(id))
    if (book === undefined) throw fault('Client', `No book with id ${id}`)
    return book
  }
  return {
    AddBook({ title, author, year }) {
      if ([...books.values()].some((each) => each.title === title))
        throw fault('Client', `There is a book called ${title} already`)
      const id = ++ids
      books.set(id, { id, title, author, year: number(year), lent: false })
      return { id }
    },
    GetBook: ({ id }) => ({ book: bookOf(id) }),
    ListBooks: (args) => ({
      book: [...books.values()].filter((each) => !args?.author || each.author === args.author),
    }),
    UpdateBook({ id, title, author, year }) {
      const book = { ...bookOf(id), title, author, year: number(year) }
      books.set(book.id, book)
      return { book }
    },
    DeleteBook({ id }) {
      const book = bookOf(id)
      if (book.lent) throw fault('Client', `Book ${id} is lent`)
      books.delete(book.id)
      return { deleted: true }
    },
    AddReader({ name, email }) {
      const id = ++ids
      readers.set(id, { id, name, email })
      return { id }
    },
    Lend({ bookId, readerId }) {
      const book = bookOf(bookId)
      if (!readers.has(number(readerId))) throw fault('Client', `No reader with id ${readerId}`)
      if (book.lent) throw fault('Client', `Book ${bookId} is lent`)
      book.lent = true
      const loan = { id: ++ids, bookId: book.id, readerId: number(readerId), title: book.title }
      loans.set(loan.id, loan)
      return { loan }
    },
    Return({ loanId }) {
      const loan = loans.get(number(loanId))
      if (loan === undefined) throw fault('Client', `No loan with id ${loanId}`)
      loans.delete(loan.id)
      books.get(loan.bookId).lent = false
      return { returned: true }
    },
    LoansOf: ({ readerId }) => ({
      loan: [...loans.values()].filter((each) => each.readerId === number(readerId)),
    }),
    Count: () => ({ books: books.size, readers: readers.size, loans: loans.size }),
  }
}

/** A service of SOAP by its WSDL, document and literal: books, readers and what is lent. */
export async function start() {
  const http = createServer((_request, response) => response.writeHead(404).end())
  const server = await listenHere(http)
  soap.listen(http, {
    path: '/library',
    services: { Library: { LibraryPort: service() } },
    xml: wsdl(server.url),
  })
  return server
}
