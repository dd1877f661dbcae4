// One option of sim at a time: BENCH_ROW names it, BENCH_BUILD the build that is measured.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as model from './model.mjs'

const { BENCH_BUILD: build, BENCH_ROW: row } = process.env
const { FromInput, list, PaginatedResponse, SimAPI } = await import(
  pathToFileURL(join(build, 'dist/src/index.js')).href
)

const bound = (schema) => ({
  ...schema,
  properties: {
    ...schema.properties,
    name: { ...schema.properties.name, ...FromInput('name') },
    email: { ...schema.properties.email, ...FromInput('email') },
    age: { ...schema.properties.age, ...FromInput('age') },
  },
})
const one = { input: model.Query, output: model.User }
const failing = { errorRate: model.SHARE, errorCodes: [500] }
const limited = { rateLimit: model.REQUESTS_PER_SECOND }
const guarded = { bearerTokens: [model.TOKEN] }
const post = { input: model.NewUser, output: bound(model.User), status: 201 }

const ROWS = {
  bare: () => new SimAPI({ seed: 42 }).get('/user', { output: model.User }),
  plain: () => new SimAPI({ seed: 42 }).get('/user', one),
  list: () => new SimAPI({ seed: 42 }).get('/users', { ...one, output: list(model.User), listCount: 10 }),
  bearer: () => new SimAPI({ seed: 42 }).get('/user', { ...one, ...guarded }),
  'rate-limit': () => new SimAPI({ seed: 42 }).get('/user', { ...one, ...limited }),
  'error-rate': () => new SimAPI({ seed: 42 }).get('/user', { ...one, ...failing }),
  errors: () => new SimAPI({ seed: 42 }).get('/user', { ...one, errorRate: 1, errorCodes: [500] }),
  post: () => new SimAPI({ seed: 42 }).post('/users', post),
  all: () => new SimAPI({ seed: 42 }).post('/users', { ...post, ...guarded, ...limited, ...failing }),
  hook() {
    const app = new SimAPI({ seed: 42 }).get('/user', one)
    return app.addMiddleware((_request, _response, next) => next())
  },
  stateful() {
    const app = new SimAPI({ seed: 42, stateful: true, store: { maxItems: 100_000_000 } })
    const output = bound(model.StoredUser)
    app
      .post('/users', { input: model.NewUser, output, status: 201 })
      .get('/users', { input: model.Page, output: PaginatedResponse(output) })
      .get('/users/{id}', { output })
      .patch('/users/{id}', { input: model.UserChange, output })
    const users = Array.from({ length: model.STORED_USERS }, (_, index) => ({
      ...model.CONSTANT,
      id: index + 1,
    }))
    app.seedStore('/users', users)
    return app
  },
}

export const api = (ROWS[row] ?? ROWS.plain)()
