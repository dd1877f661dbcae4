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

it('takes the calls of system.multicall of XML-RPC apart, and puts their answers together', () => {
  const value = (text: string): string => `<value><string>${text}</string></value>`
  const member = (name: string, content: string): string => `<member><name>${name}</name>${content}</member>`
  const list = (...values: readonly string[]): string =>
    `<value><array><data>${values.join('')}</data></array></value>`
  const struct = (...members: readonly string[]): string =>
    `<value><struct>${members.join('')}</struct></value>`
  const inner = ['web', 'none'].map((name) =>
    struct(member('methodName', value('getBox')), member('params', list(value(name)))),
  )
  const fault = struct(
    member('faultCode', '<value><int>10</int></value>'),
    member('faultString', value('No none')),
  )
  const body = `<methodCall><methodName>system.multicall</methodName><params><param>${list(...inner)}</param></params></methodCall>`
  const answer = `<?xml version='1.0'?><methodResponse><params><param>${list(list(struct(member('name', value('web')))), fault)}</param></params></methodResponse>`
  const request = { method: 'POST', path: '/', query: {}, headers: {}, body }
  const read = xmlRpc.calls?.read(request)
  expect(read?.map(({ name, args }) => [name, args])).toEqual([
    ['getBox', { 0: 'web' }],
    ['getBox', { 0: 'none' }],
  ])
  const outcomes = xmlRpc.calls?.outcomes({ status: 200, body: answer }, read ?? [])
  expect(outcomes).toMatchObject([
    { value: { name: 'web' } },
    { error: expect.stringContaining('No none') as unknown },
  ])
  expect(xmlRpc.calls?.write(outcomes ?? [], request)).toEqual({ status: 200, body: answer })
})

it('knows what XML-RPC says of methods that there are not', () => {
  const said = (code: number, text: string): Parameters<NonNullable<Protocol['isUnknown']>>[0] =>
    sample(0, 'POST /RPC2', {
      response: `<methodResponse><fault><value><struct><member><name>faultCode</name><value><int>${code}</int></value></member><member><name>faultString</name><value><string>${text}</string></value></member></struct></value></fault></methodResponse>`,
    })
  expect(xmlRpc.isUnknown?.(said(1, 'UNKNOWN_METHOD'))).toBe(true)
  expect(xmlRpc.isUnknown?.(said(1, 'method "x" is not supported'))).toBe(true)
  expect(xmlRpc.isUnknown?.(said(10, 'BAD_NAME: x'))).toBe(false)
})
