import { afterEach, expect, it } from 'vitest'
import { SimAPI } from '../../../src/index.ts'
import { createGateway } from '../../../src/gateway.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { awsQuery } from '../../../src/recording/protocols/aws-query.ts'
import type { Protocol } from '../../../src/recording/protocols/protocol.ts'
import { soap } from '../../../src/recording/protocols/soap.ts'
import { xmlRpc } from '../../../src/recording/protocols/xml-rpc.ts'
import { sample } from '../inference/samples.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** How one protocol writes calls and answers. */
interface Written {
  readonly protocol: Protocol
  readonly type: string
  /** A call as a body, and as inference reads that. */
  readonly call: (name: string, args: readonly (readonly [string, string])[]) => readonly [string, unknown]
  readonly one: (call: string, name: string, size: number) => string
  readonly list: (items: readonly (readonly [string, number])[]) => string
  readonly none: (name: string) => readonly [number, string]
}

// As xmlrpc.server of Python writes it, or with no white space and other names of types.
function xmlRpcWith(integer: string, isShort: boolean): Written {
  const end = isShort ? '' : '\n'
  const text = (value: string): string => (isShort ? value : `<string>${value}</string>`)
  const member = (name: string, value: string): string =>
    `<member>${end}<name>${name}</name>${end}<value>${value}</value>${end}</member>${end}`
  const struct = (name: string, size: number): string =>
    `<struct>${end}${member('name', text(name))}${member('size', `<${integer}>${size}</${integer}>`)}</struct>`
  const answer = (content: string): string =>
    `<?xml version='1.0'?>\n<methodResponse>${end}${content}${end}</methodResponse>${end}`
  const result = (value: string): string =>
    answer(`<params>${end}<param>${end}<value>${value}</value>${end}</param>${end}</params>`)
  return {
    protocol: xmlRpc,
    type: 'text/xml',
    call(name, args) {
      const params = args.map(([, value]) => `<param><value><string>${value}</string></value></param>`)
      const body = `<methodCall><methodName>${name}</methodName><params>${params.join('')}</params></methodCall>`
      return [body, body]
    },
    one: (_call, name, size) => result(struct(name, size)),
    list: (items) =>
      result(
        `<array><data>${end}${items.map((item) => `<value>${struct(...item)}</value>${end}`).join('')}</data></array>`,
      ),
    none: (name) => [200, answer(`<fault><value>No ${name}</value></fault>`)],
  }
}

const AWS_QUERY: Written = {
  protocol: awsQuery,
  type: 'application/x-www-form-urlencoded',
  call(name, args) {
    const fields = { Action: name, Version: '2010-03-31', ...Object.fromEntries(args) }
    return [new URLSearchParams(fields).toString(), fields]
  },
  one: (call, name, size) =>
    `<${call}Response xmlns="urn:a"><${call}Result><Box><name>${name}</name><size>${size}</size></Box></${call}Result><ResponseMetadata/></${call}Response>`,
  list: (items) =>
    `<ListBoxesResponse xmlns="urn:a"><ListBoxesResult><Boxes>${items
      .map(([name, size]) => `<member><name>${name}</name><size>${size}</size></member>`)
      .join('')}</Boxes></ListBoxesResult><ResponseMetadata/></ListBoxesResponse>`,
  none: (name) => [404, `<ErrorResponse><Error><Message>No ${name}</Message></Error></ErrorResponse>`],
}

it.each([
  ['XML-RPC with white space', xmlRpcWith('int', false)],
  ['XML-RPC without, and strings that have no type', xmlRpcWith('i4', true)],
  ['AWS query', AWS_QUERY],
])(
  '%s: answers by what calls do, as they were written',
  async (_, { protocol, type, call, one, list, none }) => {
    const named = (name: string): [string, string][] => [['name', name]]
    const recorded: readonly (readonly [string, [string, string][], string, number?])[] = [
      [
        'ListBoxes',
        [],
        list([
          ['oak', 3],
          ['elm', 5],
        ]),
      ],
      ['GetBox', named('oak'), one('GetBox', 'oak', 3)],
      ['GetBox', named('elm'), one('GetBox', 'elm', 5)],
      ['GetBox', named('fir'), none('fir')[1], none('fir')[0]],
      ['DeleteBox', named('elm'), one('DeleteBox', 'elm', 5)],
      ['ListBoxes', [], list([['oak', 3]])],
    ]
    const samples = recorded.map(([name, args, response, status = 200], index) => ({
      ...sample(index, 'POST /', { body: call(name, args)[1], response, status }),
      mimeType: 'text/xml',
    }))
    const calls = inferCalls(samples, protocol)
    const api = new SimAPI({ seed: 1 })
    api.route('POST', '/', { ...(calls && { calls }) })
    const app = createGateway({ engine: api.engine() })
    closing.push(() => app.close())
    const send = async (name: string, args: [string, string][]): Promise<readonly [number, string]> => {
      const headers = { 'content-type': type }
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/',
        headers,
        payload: call(name, args)[0],
      })
      return [statusCode, body]
    }
    expect(await send('GetBox', named('elm'))).toEqual([200, one('GetBox', 'elm', 5)])
    expect(await send('DeleteBox', named('oak'))).toEqual([200, one('DeleteBox', 'oak', 3)])
    expect(await send('GetBox', named('oak'))).toEqual(none('oak'))
    expect(await send('ListBoxes', [])).toEqual([200, list([['elm', 5]])])
  },
)

it('counts what is filtered where a total in a text does', () => {
  const ask = (of: string): string =>
    `<E:Envelope xmlns:E="e"><E:Body><List>${of && `<of>${of}</of>`}</List></E:Body></E:Envelope>`
  const answer = (...items: readonly string[]): string =>
    `<E:Envelope xmlns:E="e"><E:Body><ListResponse>${items.map((item) => `<item>${item}</item>`).join('')}<total>${items.length}</total></ListResponse></E:Body></E:Envelope>`
  const item = (id: number, of: string): string => `<id>${id}</id><of>${of}</of>`
  const calls = inferCalls(
    [
      ['', answer(item(1, 'a'), item(2, 'b'), item(3, 'a'))],
      ['a', answer(item(1, 'a'), item(3, 'a'))],
      ['b', answer(item(2, 'b'))],
    ].map(([of = '', response], index) => sample(index, 'POST /', { body: ask(of), response })),
    soap,
  )
  expect(calls?.calls['List']?.list).toMatchObject({ total: '/total' })
  expect(calls?.calls['List']?.list).not.toHaveProperty('countsAll')
})
