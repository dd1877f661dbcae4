import { describe, expect, it } from 'vitest'
import { exchangeIn } from '../../../src/recording/files/lines.ts'
import { exchangeOf } from '../samples.ts'

const LINE = { number: 3, start: 0, bytes: 0, isTorn: false }

function read(value: unknown): unknown {
  return exchangeIn({ ...LINE, text: JSON.stringify(value) }, 'r/exchanges.ndjson')
}

/** An exchange with another value at a place. */
function changed(place: string, value: unknown): object {
  const exchange = structuredClone(exchangeOf({ requestBody: 'x', responseBody: '{}' })) as object
  const names = place.split('/').slice(1)
  const last = names.pop() as string
  const within = names.reduce((object, name) => object[name] as never, exchange as Record<string, never>)
  ;(within as Record<string, unknown>)[last] = value
  return exchange
}

describe('a line of a recording', () => {
  it.for([
    ['/request', null, '/request is not an object'],
    ['/request/url', '/x', '/request/url is not an absolute URL of http or ws'],
    ['/request/url', 'data:text/plain,x', '/request/url is not an absolute URL of http or ws'],
    ['/request/cookies', undefined, '/request/cookies is not a list'],
    ['/response/cookies', [{}], '/response/cookies/0/name is not a text'],
    ['/response/redirectURL', 1, '/response/redirectURL is not a text'],
    [
      '/response/headers',
      [{ name: 'a: b', value: '' }],
      '/response/headers/0/name is not the name of a header',
    ],
    [
      '/request/headers',
      [{ name: 'a', value: '1\r\nb: 2' }],
      '/request/headers/0/value is not the value of a header',
    ],
    [
      '/response/_trailers',
      [{ name: '', value: '' }],
      '/response/_trailers/0/name is not the name of a header',
    ],
    ['/request/headers', {}, '/request/headers is not a list'],
    ['/request/headers', [null], '/request/headers/0 is not an object'],
    [
      '/response/headers',
      [{ name: 'a', value: 1 }],
      '/response/headers/0/value is not the value of a header',
    ],
    ['/request/queryString', 1, '/request/queryString is not a list'],
    ['/request/postData', null, '/request/postData is not an object'],
    ['/response/status', 1e308, '/response/status is not a status'],
    ['/response/content/text', 1, '/response/content/text is not a text'],
    ['/response/content', { size: 1 }, '/response/content/mimeType is not a text'],
    [
      '/response/content/_file',
      'bodies/../key',
      '/response/content/_file is not the path of a recorded body',
    ],
    ['/request/postData/_file', 'bodies/a', '/request/postData/_file is not the path of a recorded body'],
    ['/_custom', JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`), 'it is nested more than 200 deep'],
    ['/timings', { wait: 1 }, '/timings/send is not a number'],
    ['/startedDateTime', 1, '/startedDateTime is not a text'],
    ['/_webSocketMessages', [1], '/_webSocketMessages/0 is not an object'],
  ] as const)('is named with the place of what is wrong: %s, %j', ([place, value, problem]) => {
    expect(() => read(changed(place, value))).toThrow(
      `r/exchanges.ndjson:3 is not a recorded exchange: ${problem}`,
    )
  })

  it.for([null, [], 1, { __proto__: null }])('is named where it is none: %j', (value) => {
    expect(() => read(value)).toThrow(/^r\/exchanges.ndjson:3 is not a recorded exchange: /)
  })

  it('is taken as it is recorded', () => {
    const exchange = changed('/_webSocketMessages', [{ type: 'send', time: 1, opcode: 1, data: 'x' }])
    expect(read(exchange)).toEqual(JSON.parse(JSON.stringify(exchange)))
  })
})
