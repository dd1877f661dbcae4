import { resolve } from 'node:path'

/** Where the built kit is, as a text of code. */
export const KIT = JSON.stringify(resolve(import.meta.dirname, '../../dist/src/adapter/index.js'))

/** A module that exports a small adapter; its starter fixture is `starter.yaml` beside it. */
export const VENDOR = `
import { reply } from ${KIT}
const facts = { support: 'exact', family: 'users', version: '1', documentation: 'https://vendor.example', tests: [] }
export const adapter = {
  name: 'sim-vendor', title: 'Vendor', packageVersion: '1.0.0', documentedAt: '2026-01-01',
  source: 'https://vendor.example', manifestPath: '/.well-known/vendor.json', defaultPort: 8790,
  environment: { host: 'SIM_VENDOR_HOST', token: 'SIM_VENDOR_TOKEN' }, requestIdHeader: 'X-Vendor-Request',
  bodyLimit: 100,
  fixture: {
    version: 1, starter: new URL('./starter.yaml', import.meta.url),
    schema: { required: ['users'], properties: { version: {}, users: { type: 'array', items: { type: 'string' } } } },
  },
  createState: ({ fixture }) => ({ users: [...fixture.users] }),
  toAnswer: (failure) => ({ status: failure.status ?? { 'unknown-path': 404, 'body-too-large': 413 }[failure.kind] ?? 500, body: { vendor: failure.kind } }),
  operations: [
    { ...facts, id: 'list', method: 'GET', path: '/v1/users', handle: ({ state, query }) => ({ users: state.users, q: query.get('q') }) },
    { ...facts, id: 'get', method: 'GET', path: '/v1/users/{user}', handle: ({ params }) => params },
    { ...facts, id: 'add', method: 'POST', path: '/v1/users', sideEffects: ['adds'],
      handle: ({ state, body }) => (state.users.push(body().name), reply({ status: 201, body: body() })) },
    { ...facts, id: 'origin', method: 'GET', path: '/v1/origin',
      handle: ({ headers }) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.includes('forwarded'))) },
    { ...facts, id: 'crash', method: 'POST', path: '/v1/crash', handle: () => state.nothing },
  ],
}
`
