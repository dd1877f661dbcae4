import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { findOperations } from '../../../src/recording/inference/operations.ts'
import { jsonCommands } from '../../../src/recording/protocols/json-commands.ts'
import { type Entry, samplesOf } from '../inference/samples.ts'

type Lease = { readonly ip: string; readonly host: string; readonly net: number }

const LEASES: readonly Lease[] = [
  { ip: '192.0.2.20', host: 'ada', net: 1 },
  { ip: '192.0.2.21', host: 'bob', net: 1 },
  { ip: '198.51.100.30', host: 'cyd', net: 2 },
]
const bodyOf = (command: string, args?: object): object => ({ command, service: ['dhcp'], arguments: args })
const said = (command: string, args: object | undefined, answer: object): Entry => [
  'POST /',
  { body: bodyOf(command, args), response: [answer] },
]
const added = ({ ip, net }: Lease) => ({ result: 0, text: `Lease for ${ip}, net ${net} added.` })
const found = (lease: Lease) => ({ arguments: { ...lease, state: 0 }, result: 0, text: 'Lease found.' })
const NONE = { result: 3, text: 'Lease not found.' }
const listed = (leases: readonly Lease[]) => ({
  arguments: { leases: leases.map((each) => ({ ...each, state: 0 })) },
  result: 0,
  text: `${leases.length} lease(s) found.`,
})

const RECORDED = samplesOf(
  said('version-get', undefined, { result: 0, text: '2.2.0' }),
  ...LEASES.map((lease) => said('lease-add', lease, added(lease))),
  said('lease-add', LEASES[0], { result: 1, text: 'Lease already exists.' }),
  said('lease-add', { ...LEASES[0], ip: 'nonsense' }, { result: 1, text: "Bad address 'nonsense'" }),
  ...LEASES.map((lease) => said('lease-get', { ip: lease.ip }, found(lease))),
  said('lease-get', { ip: '192.0.2.99' }, NONE),
  said('lease-get-by-host', { host: 'ada' }, listed(LEASES.slice(0, 1))),
  said('lease-del', { ip: '192.0.2.21' }, { result: 0, text: 'Lease deleted.' }),
  said('lease-get', { ip: '192.0.2.21' }, NONE),
  said('dance', undefined, { result: 2, text: "'dance' command not supported." }),
  ['POST /', { body: { other: 1 }, response: [{ result: 1, text: 'no command' }] }],
)

it('distinguishes commands by the member that names them', () => {
  const names = findOperations(RECORDED).map(({ name }) => name)
  expect(names).toEqual([
    ...['version-get', 'lease-add', 'lease-get', 'lease-get-by-host', 'lease-del'],
    undefined,
  ])
})

it('remembers what commands made, and says it in the sentences of the server', () => {
  const model = inferCalls(RECORDED, jsonCommands)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const ask = (command: string, args: object): unknown => {
    const body = bodyOf(command, args)
    return answerCalls(model, all, { headers: {}, query: {}, body }, { seed: '', now: 0 })?.body
  }
  const lease = { ip: '198.51.100.9', host: 'eve', net: 2 }
  expect(ask('lease-add', lease)).toEqual([added(lease)])
  expect(ask('lease-add', lease)).toEqual([{ result: 1, text: 'Lease already exists.' }])
  expect(ask('lease-get', { ip: lease.ip })).toEqual([found(lease)])
  expect(ask('lease-get-by-host', { host: 'eve' })).toEqual([listed([lease])])
  expect(ask('lease-del', { ip: lease.ip })).toEqual([{ result: 0, text: 'Lease deleted.' }])
  expect(ask('lease-get', { ip: lease.ip })).toEqual([NONE])
})
