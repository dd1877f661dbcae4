import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { exchangeOf } from '../samples.ts'

const KEY = 'nH97Bmp69LnPE3VuqisuX2kQ'
const redactor = createRedactor()

const SECRET: readonly (readonly [type: string, body: string, secret?: string])[] = [
  [
    'text/html',
    `<select name="api_key"><option value="">-</option><option value='${KEY}' selected>k</option></select>`,
  ],
  ['text/html', `<select id=token><option selected>${KEY}</option></select>`],
  ['text/html', `<datalist id="access-tokens"><option value="${KEY}"></datalist>`],
  ['text/html', `<output id="api-key">${KEY}</output>`],
  ['text/html', `<code id="new" class="big oauth-token">${KEY}</code>`],
  ['text/html', `<button data-clipboard-text="${KEY}">Copy API key</button>`],
  ['text/html', `<clipboard-copy value="${KEY}" aria-label="Copy token"></clipboard-copy>`],
  ['text/html', `<p>Your secret</p><a onclick="navigator.clipboard.writeText('${KEY}')">Copy</a>`],
  ['application/json', '{"securityQuestions":[{"question":"Pet?","answer":"Fluffykins"}]}', 'Fluffykins'],
  ['application/json', '{"recovery_question":{"question":"Who?","answer":"Annie O"}}', 'Annie O'],
  ['application/json', '{"securityQuestion":{"id":3},"answer":"Wellington"}', 'Wellington'],
  ['application/json', '{"recovery_answer":"Wellington"}', 'Wellington'],
  ['application/x-www-form-urlencoded', 'secret_question=city&secret_answer=Wellington', 'Wellington'],
  ['application/json', '{"credentials":[{"type":"password","value":"pfau"}]}', 'pfau'],
  ['application/json', '{"text":"Your verification code is 481 592."}', '481 592'],
  ['application/json', '{"text":"481593 is your Acme code. Do not share it."}', '481593'],
  ['application/json', `{"x":"gAAAAAB${KEY.repeat(4)}=="}`, KEY],
]

it.for(SECRET)('hides what is secret of %s %s', ([type, body, secret = KEY]) => {
  const { response } = redactor.exchange(
    exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body }),
  )
  expect(response.content.text).not.toContain(secret)
  expect(response.content.text).toContain('redacted')
})

const CLEAN: readonly (readonly [type: string, body: string])[] = [
  ['text/html', `<select name="branch"><option value="${KEY}">a</option></select>`],
  ['text/html', '<select name="token"><option value="all-tokens-of-2026">All</option></select>'],
  ['text/html', `<span class="hash">${KEY}</span> <span class="token function">toBase64Url</span>`],
  ['text/html', `<button data-clipboard-text="${KEY}">Copy id</button>`],
  ['application/json', '{"faq":[{"question":"What is it?","answer":"A gateway"}]}'],
  ['application/json', '{"fields":[{"type":"password","value":"hint"}]}'],
  ['application/json', '{"text":"The code is in 3 files; 1234 is your number."}'],
]

it.for(CLEAN)('hides nothing of %s %s', ([type, body]) => {
  const exchange = exchangeOf({ responseHeaders: [['content-type', type]], responseBody: body })
  expect(redactor.exchange(exchange)).toEqual(exchange)
})

it.for([
  [`graphql-ws, access_token.${KEY}`, 'graphql-ws, access_token.[redacted]'],
  [`chat, auth-${KEY}`, 'chat, auth-[redacted]'],
  [`realtime, openai-insecure-api-key.${KEY}`, 'realtime, openai-insecure-api-key.[redacted]'],
  ['graphql-transport-ws, v4.channel.k8s.io, soap', 'graphql-transport-ws, v4.channel.k8s.io, soap'],
])('hides tokens among the protocols %s', ([value = '', hidden]) => {
  expect(redactor.header({ name: 'Sec-WebSocket-Protocol', value }).value).toBe(hidden)
})

it('hides parameters of the type of a body, in its header and beside its text', () => {
  const type = `application/json; token=${KEY}; charset=utf-8`
  const exchange = redactor.exchange(
    exchangeOf({
      requestHeaders: [['content-type', type]],
      requestBody: '{}',
      responseHeaders: [['content-type', type]],
      responseBody: '{}',
    }),
  )
  expect(JSON.stringify(exchange)).not.toContain(KEY)
  expect(exchange.response.content.mimeType).toBe('application/json; token=[redacted]; charset=utf-8')
})

it('hides a session that is a UUID in a header of its own', () => {
  const header = { name: 'X-Session', value: '9532e8be-fec2-4626-893e-0a5beddbc2d2' }
  expect(redactor.header(header).value).toBe('[redacted]')
})
