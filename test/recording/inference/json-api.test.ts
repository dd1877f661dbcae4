import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, sample, samplesOf } from './samples.ts'

const AT = 'http://api.example.com'
const PEOPLE = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '7b921625-1966-4945-9c2a-7bcfca1d8279']
const BOOKS = ['be74d3da-3765-4afd-9caf-27d3c3a6944d', 'e1b3878a-4449-4674-956d-2878a3e0ad85']

const ref = (at: number) => ({ type: 'people', id: PEOPLE[at] })
const person = (at: number) => ({ ...ref(at), attributes: { name: `person ${at}` } })
const book = (at: number) => ({
  ...{ type: 'books', id: BOOKS[at], attributes: { title: `book ${at}`, pages: 0 } },
  relationships: {
    author: { data: ref(at), links: { self: `${AT}/books/${BOOKS[at]}/relationships/author` } },
  },
})
const whole = (data: { readonly type: string; readonly id?: string | undefined }) => ({
  links: { self: `${AT}/${data.type}/${data.id}` },
  data,
})
const sent = (at: number) => ({
  data: {
    ...{ type: 'books', attributes: { title: `book ${at}` } },
    relationships: { author: { data: ref(at) } },
  },
})

const RECORDED: readonly Entry[] = [
  ...[0, 1].map((at): Entry => [
    'POST /people',
    { status: 201, body: { data: person(at) }, response: whole(person(at)) },
  ]),
  ...[0, 1].map((at): Entry => ['POST /books', { status: 201, body: sent(at), response: whole(book(at)) }]),
  ...[0, 1].map((at): Entry => [
    `GET /books/${BOOKS[at]}`,
    { response: { ...whole(book(at)), included: [] } },
  ]),
  ...[0, 1].map((at): Entry => [
    `GET /books/${BOOKS[at]}?include=author`,
    {
      response: {
        ...whole(book(at)),
        links: { self: `${AT}/books/${BOOKS[at]}?include=author` },
        included: [person(at)],
      },
    },
  ]),
]

const located = samplesOf(...RECORDED).map((each) => {
  const { data } = each.response as { data: { type: string; id: string } }
  const isMade = each.method === 'POST'
  return isMade ? { ...each, responseHeaders: { location: `${AT}/${data.type}/${data.id}` } } : each
})
// Ids of people are seen in paths.
const missed = [0, 1].map((at) =>
  sample(90 + at, `GET /people/${PEOPLE[at]?.replace(/^.../, 'fff')}`, { status: 404, response: {} }),
)
type Data = Record<string, Record<string, Record<string, unknown>>>
const { routes, models } = toRouteFile(inferRoutes([...located, ...missed])).document as Data

it('keeps what is sent of members of members, and has what the server adds to them', () => {
  expect(routes?.['POST /books']).toMatchObject({
    keeps_sent: true,
    item: {
      merges: ['attributes', 'relationships', 'relationships/author'],
      repeats: { '/relationships/author/links/self': `${AT}/books/{id}/relationships/author` },
    },
  })
  expect(routes?.['POST /books']?.['item']).not.toHaveProperty('drops')
})

it('has the id of the item in the addresses around it, whatever is requested besides', () => {
  const self = { fields: ['data'], template: { self: `${AT}/books/{data.id}` } }
  for (const route of ['POST /books', 'GET /books/{id}'])
    expect(routes?.[route]).toHaveProperty(['output', 'properties', 'links', 'x-sim-link'], {
      computedFrom: self,
    })
  expect(models).toBeDefined()
})

it('finds what is answered beside an item that refers to it, though that was only made', () => {
  expect(routes?.['GET /books/{id}']).toHaveProperty('item.includes', {
    ...{ parameter: 'include', to: '/included', from: '/data', always: true },
    at: { people: '/people/{id}' },
  })
})

it('repeats the path of a request in answers that are of no collection', () => {
  const of = (name: string): Entry => [
    `GET /zones/${name}/info`,
    { response: { at: `/zones/${name}/info`, is: 1 } },
  ]
  const { document } = toRouteFile(inferRoutes(samplesOf(of('one-8811'), of('two-9922'), of('six-7733'))))
  const [route] = Object.values((document as Data)['routes'] ?? {})
  expect(JSON.stringify([route, (document as Data)['models']])).toContain('"template":"/zones/{')
})
