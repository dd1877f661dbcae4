import { describe, expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { neededFields } from '../../../src/recording/inference/field-issues.ts'
import { type Entry, samplesOf } from './samples.ts'

const BOOK = { title: 'a b', genre: 'novel', pages: 3 }
const fine = ['one', 'two', 'six'].map(
  (title) => ['POST /books', { status: 201, body: { ...BOOK, title }, response: { id: 1, title } }] as const,
)
const refused = (body: object, response: unknown) => ['POST /books', { status: 400, body, response }] as const
const required = ['Is required.']

function answersOf(...others: Entry[]): unknown {
  const { routes } = inferRoutes(samplesOf(...fine, ...others))
  return routes[0]?.refusals?.errorAnswers?.['SIM_INPUT_INVALID']
}

describe('what answers say of fields', () => {
  it('is a member for each, by what is wrong', () => {
    const answer = answersOf(
      refused({}, { title: required, genre: required }),
      refused({ ...BOOK, pages: 'many' }, { pages: ['No number.'] }),
      refused({ ...BOOK, genre: 'crime' }, { genre: ['"crime" cannot be chosen.'] }),
    )
    expect(answer).toMatchObject({
      body: { '{field}': ['{message}'] },
      messages: { missing: 'Is required.', type_error: 'No number.', not: '"{value}" cannot be chosen.' },
    })
  })

  it('may name the regular expression that texts are of', () => {
    const pattern = '^[a-z]+( \\d{2})?$'
    const message = `title does not match '${pattern}'`
    const samples = samplesOf(...fine, refused({ ...BOOK, title: 'Nine!' }, { message }))
    const { routes } = inferRoutes(samples)
    expect(routes[0]?.input).toMatchObject({ properties: { title: { pattern } } })
    expect(routes[0]?.refusals?.errorAnswers).toMatchObject({
      SIM_INPUT_INVALID: { body: { message: `{field} does not match '${pattern}'` } },
    })
  })

  it('is an item of a list for each, which may name a path', () => {
    const of = (field: string): object => ({ path: ['body', field], msg: `The ${field} is missing` })
    const answer = answersOf(refused({}, { errors: [of('title'), of('genre'), of('pages')] }))
    expect(answer).toMatchObject({
      body: { errors: [{ path: ['body', '{field}'], msg: 'The {field} is missing' }] },
    })
    expect(answer).not.toHaveProperty('messages')
  })

  it('leaves the names that all errors have, though a field is called so', () => {
    const error = { status: '400', code: 'BAD', title: 'Not valid' }
    const said = { ...error, detail: [{ message: 'title is lacking', path: ['title'] }] }
    expect(answersOf(refused({ genre: 'novel', pages: 3 }, { errors: [said] }))).toMatchObject({
      body: { errors: [{ ...error, detail: [{ path: ['{field}'] }] }] },
    })
  })

  it('is said by handlers of errors with a 500, which fields are missing or of another format', () => {
    const wrong = (body: object, response: string) =>
      ['POST /books', { status: 500, body, response }] as const
    const mail = { ...BOOK, title: 'x', mail: 'ann@example.com' }
    const { routes } = inferRoutes(
      samplesOf(
        ...fine,
        ['POST /books', { status: 201, body: mail, response: { id: 2, title: 'x' } }],
        wrong({ title: 'x', pages: 1 }, "data should have required property 'genre'"),
        wrong({ ...mail, mail: 'at home' }, 'data.mail should match format "email"'),
      ),
    )
    expect(routes[0]?.input).toMatchObject({
      properties: { mail: { format: 'email' } },
      required: expect.arrayContaining(['genre']) as string[],
    })
    expect(routes[0]?.refusals?.errorAnswers).toMatchObject({
      SIM_INPUT_INVALID: { status: 500 },
    })
  })

  it('is said by sentences that begin with the name of the field', () => {
    const mail = (value: string): object => ({ ...BOOK, mail: value })
    const join = (value: string, status: number, response: object | string) =>
      ['POST /books', { status, body: mail(value), response }] as const
    const made = ['ann@example.com', 'bob@example.com'].map((value, at) => join(value, 201, { id: at + 2 }))
    for (const response of ['Mail format is invalid', { error: 'Mail is not a valid email' }]) {
      const { routes } = inferRoutes(samplesOf(...made, join('at home', 400, response)))
      expect(routes[0]?.input).toMatchObject({ properties: { mail: { format: 'email' } } })
    }
  })

  it('is so whatever status a server has for what it calls invalid', () => {
    const response = { errors: [{ status: 403, code: 'x', title: 'Validation failed', field: 'genre' }] }
    expect(
      answersOf(['POST /books', { status: 403, body: { title: 'x', pages: 1 }, response }]),
    ).toMatchObject({
      status: 403,
      body: { errors: [{ title: expect.any(String) as string, field: '{field}' }] },
    })
  })

  it('spares what is missing, too, where a server that names several does not', () => {
    const of = (...others: ReturnType<typeof refused>[]): unknown =>
      neededFields(samplesOf(...fine, ...others))
    const one = refused({ title: 'x' }, { genre: required })
    expect(of(one)).toEqual({ named: new Set(['genre']), spared: new Set() })
    expect(of(one, refused({}, { title: required, genre: required }))).toEqual({
      named: new Set(['genre', 'title']),
      spared: new Set(['pages']),
    })
  })

  it('spares what several requests lack that are refused for different fields', () => {
    const whole = { name: 'a', genre: 'b', pages: 1, note: 'c' }
    const lacking = (left: string, ...more: string[]): Entry => {
      const body = Object.fromEntries(
        Object.entries(whole).filter(([each]) => ![left, ...more].includes(each)),
      )
      return ['POST /books', { body, status: 422, response: { error: `${left} is required` } }]
    }
    const fine: Entry = ['POST /books', { body: whole, status: 201, response: { id: 1, ...whole } }]
    const spared = (...refused: Entry[]): ReadonlySet<string> =>
      neededFields(samplesOf(fine, fine, ...refused)).spared
    expect(spared(lacking('name', 'note'), lacking('genre', 'note'))).toEqual(new Set(['note']))
    expect(spared(lacking('name', 'note'), lacking('name', 'note'), lacking('genre'))).toEqual(new Set())
  })

  it('closes what has few texts where another was refused, and leaves it open where none was', () => {
    const inputWith = (times: number, ...others: ReturnType<typeof refused>[]): unknown =>
      inferRoutes(
        samplesOf(
          ...fine,
          ...['odes', 'lays']
            .slice(-times)
            .map((title): Entry => [
              'POST /books',
              { status: 201, body: { ...BOOK, title, genre: 'poem' }, response: { id: 1, title } },
            ]),
          ...fine,
          ...others,
        ),
      ).routes[0]?.input?.['properties']
    const saying = (text: string): ReturnType<typeof refused> =>
      refused({ ...BOOK, genre: 'crime' }, { genre: [text] })
    const other = saying('"crime" cannot be chosen.')
    expect(inputWith(2, other)).toMatchObject({
      title: { type: 'string' },
      genre: { enum: ['novel', 'poem'] },
    })
    expect(inputWith(2, other, other)).not.toHaveProperty('title.enum')
    expect(inputWith(2)).not.toHaveProperty('genre.enum')
    // What came once may be one of many, and what is refused may be so for anything.
    for (const genre of [inputWith(1, other), inputWith(2, saying('not on Sundays'))])
      expect(genre).toMatchObject({ genre: { not: { enum: ['crime'] } } })
  })

  it('may have another form by what is wrong', () => {
    const { routes } = inferRoutes(
      samplesOf(
        ...fine,
        refused({ genre: 'novel', pages: 3 }, { error: { lacks: 'title' } }),
        refused({ ...BOOK, pages: 'many' }, { error: { type: 'number', of: 'pages' } }),
        refused({ ...BOOK, colour: 'red' }, { error: { unknown: 'colour' } }),
      ),
    )
    const { refusals: { errorAnswers = {} } = {}, input } = routes[0] ?? {}
    const bodies = new Set(Object.values(errorAnswers).map(({ body }) => JSON.stringify(body)))
    expect([...bodies].toSorted()).toEqual([
      '{"error":{"lacks":"{field}"}}',
      '{"error":{"type":"number","of":"{field}"}}',
      '{"error":{"unknown":"{field}"}}',
    ])
    // What answers show may be sent.
    expect(input).toMatchObject({ properties: { id: true }, additionalProperties: false })
  })

  it('says the least number that is taken', () => {
    const pages = (count: number) => ({ ...BOOK, title: 'a b', pages: count })
    const { routes } = inferRoutes(
      samplesOf(
        ...[90, 120].map(
          (count) => ['POST /books', { body: pages(count), response: { id: count } }] as const,
        ),
        refused(pages(3), { error: 'pages must be 16 or more' }),
      ),
    )
    expect(routes[0]?.input).toMatchObject({ properties: { pages: { minimum: 16 } } })
  })

  it('says the least length that is taken', () => {
    const { routes } = inferRoutes(
      samplesOf(...fine, refused({ ...BOOK, title: 'x' }, { error: { title: 'has less than 3 letters' } })),
    )
    expect(routes[0]?.input).toMatchObject({ properties: { title: { minLength: 3 } } })
    expect(routes[0]?.refusals?.errorAnswers).toMatchObject({
      SIM_INPUT_INVALID: { body: { error: { '{field}': 'has less than 3 letters' } } },
    })
  })

  it('is of the fields it names, and not of others that are missing, too', () => {
    const { routes } = inferRoutes(
      samplesOf(
        ...fine,
        refused({ genre: 'novel' }, { error: { lacks: 'title' } }),
        refused({ title: 'a b', colour: 'red' }, { error: { unknown: 'colour' } }),
      ),
    )
    const { refusals: { errorAnswers = {} } = {}, input } = routes[0] ?? {}
    expect(errorAnswers['SIM_INPUT_INVALID/missing'] ?? errorAnswers['SIM_INPUT_INVALID']).toMatchObject({
      body: { error: { lacks: '{field}' } },
    })
    // What was missing where something else was wrong is not needed.
    expect(input?.['required']).toEqual(['title'])
  })
})

describe('what answers say of paths', () => {
  it('is that an id has another form than all others', () => {
    const { routes } = inferRoutes(
      samplesOf(
        ...fine.map(
          ([key, each], at) => [key, { ...each, response: { ...each.response, id: at + 1 } }] as const,
        ),
        ['GET /books/1', { response: { id: 1, title: 'one' } }],
        ['GET /books/2', { response: { id: 2, title: 'two' } }],
        ['GET /books/9', { status: 404, response: { error: 'none' } }],
        ['GET /books/abc', { status: 400, response: { error: 'abc cannot be a key' } }],
        ['DELETE /books/2', { status: 204 }],
      ),
    )
    const [, , get, remove] = ['POST /books', 'GET /books', 'GET /books/{id}', 'DELETE /books/{id}'].map(
      (key) => routes.find(({ method, path }) => `${method} ${path}` === key),
    )
    expect(get?.input).toMatchObject({ properties: { id: { type: 'integer' } } })
    expect(remove?.input).toMatchObject({ properties: { id: { type: ['integer', 'null'] } } })
    expect(get?.refusals?.errorAnswers).toMatchObject({
      SIM_INPUT_INVALID: { status: 400, body: { error: '{id} cannot be a key' } },
    })
    expect(get?.errors).toEqual([])
  })
})

describe('what is refused beside what was', () => {
  const people = [
    ['Ann', 'ann@example.com', 'crime'],
    ['Berta', 'berta@example.org', 'poetry'],
    ['Cleopatra', 'cleo@example.net', 'crime'],
    ['Deborah', 'deb@example.net', 'poetry'],
  ].map(
    ([name, email, genre], at) =>
      [
        'POST /people',
        { status: 201, body: { name, email, genre }, response: { id: at + 1, name, email, genre } },
      ] as const,
  )
  const ANN = { name: 'Annabel', email: 'a@b.cd', genre: 'crime' }
  const inputOf = (body: object, response: unknown): unknown =>
    inferRoutes(samplesOf(...people, ['POST /people', { status: 422, body, response }])).routes[0]?.input

  it.each([
    [
      'a length that is named',
      { ...ANN, name: 'x' },
      { type: 'a', message: 'name has less than 3 letters', code: 422 },
      'name',
      { minLength: 3 },
    ],
    ['what is as short', { ...ANN, name: 'x' }, { error: 'The name is too short' }, 'name', { minLength: 2 }],
    [
      'what is not an address as all were',
      { ...ANN, email: 'x' },
      { error: 'email must be an email' },
      'email',
      { format: 'email' },
    ],
    [
      'what is not in a list',
      { ...ANN, genre: 'romance' },
      { error: 'genre is not included in the list' },
      'genre',
      { enum: ['crime', 'poetry'] },
    ],
    ...[
      '&#x27;romance&#x27; is not one of [None, &#x27;crime&#x27;, &#x27;essay&#x27;, &#x27;poetry&#x27;]',
      "Expected 'crime' | 'essay' | 'poetry', received 'romance'",
      'must be one of the following values: crime, essay, poetry',
      '"romance" should be "crime", "essay" or "poetry".',
    ].map((said): [string, object, unknown, string, object] => [
      `what is not in this list: ${said}`,
      { ...ANN, genre: 'romance' },
      { error: `genre: ${said}` },
      'genre',
      { enum: ['crime', 'essay', 'poetry'] },
    ]),
  ])('is %s', (_, body, response, field, expected) => {
    expect(inputOf(body, response)).toMatchObject({ properties: { [field]: expected } })
  })

  it('is nothing that is missing while the answer has its name within a word', () => {
    const { name: _, ...rest } = ANN
    expect(
      neededFields(
        samplesOf(...people, [
          'POST /people',
          { status: 422, body: rest, response: { error: 'genre unnamed' } },
        ]),
      ).named,
    ).toEqual(new Set())
  })

  it('is answered with a message for each field that is wrong', () => {
    const of = (body: object, ...message: string[]): Entry => [
      'POST /people',
      { status: 400, body, response: { message } },
    ]
    const { routes } = inferRoutes(
      samplesOf(
        ...people,
        of({ ...ANN, name: 'x' }, 'name must have at least 2 characters'),
        of(
          { ...ANN, name: 'x', email: 'x' },
          'name must have at least 2 characters',
          'email must be an email',
        ),
      ),
    )
    expect(routes[0]?.refusals?.errorAnswers?.['SIM_INPUT_INVALID']).toMatchObject({
      body: { message: ['{message}'] },
      messages: {
        string_too_short: '{field} must have at least 2 characters',
        format: '{field} must be an email',
      },
    })
  })

  it('is what is wrong with a number in a query', () => {
    const refused = (query: string, error: string): Entry => [
      `GET /people?${query}`,
      { status: 422, response: { error } },
    ]
    const { routes } = inferRoutes(
      samplesOf(
        ['GET /people?age=3&name=Ann', { response: [ANN] }],
        ['GET /people?age=20&name=Bo', { response: [ANN] }],
        refused('age=999', 'age must be at most 100'),
        refused('age=old', 'age must be a number'),
      ),
    )
    expect(routes[0]?.input).toMatchObject({ properties: { age: { maximum: 100 } } })
    expect(routes[0]?.refusals?.errorAnswers).toMatchObject({
      SIM_INPUT_INVALID: { body: { error: '{field} must be a number' } },
      'SIM_INPUT_INVALID/less_than_equal': { body: { error: '{field} must be at most 100' } },
    })
  })
})

it('takes the next number for the least or the greatest where an answer only says that one is beyond it', () => {
  const priced = [5, 8, 13].map(
    (price) => ['POST /books', { status: 201, body: { price }, response: { id: price, price } }] as const,
  )
  const { routes } = inferRoutes(
    samplesOf(
      ...priced,
      refused({ price: -1 }, { errors: [{ field: 'price', message: 'Validation min on price failed' }] }),
      refused({ price: 100 }, { errors: [{ field: 'price', message: 'price is too high' }] }),
    ),
  )
  expect(routes[0]?.input).toMatchObject({ properties: { price: { minimum: 0, maximum: 99 } } })
})

it('says the values that are refused where answers do, and refuses texts that are not as all others', () => {
  const labels = ['#ff0000', '#00ff00'].map(
    (color, at) => ['POST /labels', { status: 201, body: { color }, response: { id: at, color } }] as const,
  )
  const details = "Bad `color`: Value ('reddish') is not hex"
  const { routes } = inferRoutes(
    samplesOf(...labels, [
      'POST /labels',
      { status: 400, body: { color: 'reddish' }, response: { details } },
    ]),
  )
  expect(routes[0]?.refusals?.errorAnswers?.['SIM_INPUT_INVALID']?.body).toEqual({
    details: "Bad `{field}`: Value ('{value}') is not hex",
  })
  expect(routes[0]?.input).toMatchObject({ properties: { color: { pattern: '^#[0-9A-Fa-f]{3,8}$' } } })
})

it('reads from answers what texts must match, both ends of a range, and that a list must not be empty', () => {
  const order = (sku: string, size: number) => ({ sku, size, lines: [{ sku }] })
  const post = (body: object, status: number, response: unknown): Entry => [
    'POST /orders',
    { status, body, response },
  ]
  const refusal = (field: string, message: string) => ({ errors: [{ field, message }] })
  const { routes } = inferRoutes(
    samplesOf(
      post(order('AB-1', 3), 201, { id: 1 }),
      post(order('CD-7', 9), 201, { id: 2 }),
      post(order('ab', 3), 400, refusal('sku', 'sku must match /^[A-Z]{2}-\\d$/ regular expression')),
      post(order('AB-1', 0), 400, refusal('size', 'size must be between 1 and 20')),
      post({ ...order('AB-1', 3), lines: [] }, 400, refusal('lines', 'lines should not be empty')),
    ),
  )
  expect(routes[0]?.input).toMatchObject({
    properties: {
      sku: { pattern: '^[A-Z]{2}-\\d$' },
      size: { minimum: 1, maximum: 20 },
      lines: { minItems: 1 },
    },
  })
  expect(routes[0]?.refusals?.errorAnswers?.['SIM_INPUT_INVALID']).toMatchObject({
    messages: { less_than_equal: '{field} must be between 1 and 20' },
  })
})
