import type { Awaitable, HttpResponse } from '../message.ts'
import { RouteNotFound } from '../errors.ts'
import type { Mounts } from '../modes/adapter-mounts.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import { defineOperation, fields } from './operation.ts'

const text = { type: 'string' }

/** The adapters that are mounted. */
export const adapters = defineOperation(
  'GET',
  '/adapters',
  {
    scope: 'same',
    tag: 'adapters',
    summary: 'The adapters that answer for vendors, and what is theirs',
    description:
      'Below /__sim/adapters/{name}/ are the control paths of each: clock, faults, reset, snapshot.',
    output: fields({
      adapters: { type: 'array', items: fields({ name: text, host: text, prefix: text }, ['name']) },
    }),
  },
  (_input, request) => ({
    adapters: request.adapters.list.map(({ adapter: { name }, host, prefix }) => ({ name, host, prefix })),
  }),
)

/** Passes on what is for the control paths of one adapter; `undefined` for all else. @throws RouteNotFound */
export function passToAdapter(mounts: Mounts, exchange: Exchange): Awaitable<HttpResponse> | undefined {
  const { method, path } = exchange
  const [, name, rest] = /^\/__sim\/adapters\/([^/]+)(\/.*)$/.exec(path) ?? []
  if (rest === undefined) return undefined
  const mount = mounts.list.find(({ adapter }) => adapter.name === name)
  if (mount === undefined) throw new RouteNotFound(method, path, 'GET /__sim/adapters lists them')
  return mounts.control(mount.adapter, exchange, `/__sim${rest}`)
}
