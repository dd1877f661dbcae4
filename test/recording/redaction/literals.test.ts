import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'

const SECRET = 'q7Rk2Lw9Xz4Tn8Vb1Mc6'
const encoded = Buffer.from(JSON.stringify({ token: SECRET, user: 'ada' })).toString('base64')

/** Scripts whose secret name does not stand right before the literal. */
const SCRIPTS: readonly string[] = [
  `sdk.setAccessToken("${SECRET}")`,
  `new ApiKey('${SECRET}')`,
  `const secret = process.env.SECRET ?? '${SECRET}'`,
  `const secret=e.SECRET||"${SECRET}"`,
  `this.apiKey=void 0===e?"${SECRET}":e`,
  `const token = isTest ? 'none' : '${SECRET}'`,
  `o['secret'] ||= '${SECRET}'`,
  `use(session({secret:['${SECRET}','b'],resave:false}))`,
  `document.cookie = 'auth_token=' + '${SECRET}'`,
  `a=[{name:'API_KEY',value:'${SECRET}'}]`,
  `Object.defineProperty(o,"token",{value:"${SECRET}"})`,
  `jwt.sign(payload, "${SECRET}")`,
  `crypto.createHmac('sha256', '${SECRET}')`,
  `const state='{"token":"${SECRET}"}'`,
  `JSON.parse(decodeURIComponent("%7B%22token%22%3A%22${SECRET}%22%7D"))`,
  '/*\n * password: q7Rk2Lw9X\n */',
]

it.for(SCRIPTS)('hides the secret of the script %s', (script) => {
  for (const [type, body] of [
    ['text/javascript', script],
    ['text/html', `<!doctype html><script>${script}</script>`],
  ] as const)
    expect(createRedactor().body(body, type)).toEqual({
      text: expect.not.stringContaining(SECRET.slice(0, 9)) as string,
    })
})

it('hides the parts of a literal that is put together', () => {
  expect(createRedactor().body('const token="q7Rk2Lw9Xz"+"4Tn8Vb1Mc6";f()', 'text/javascript')).toEqual({
    text: 'const token="[redacted]"+"[redacted]";f()',
  })
})

it('hides the secret of JSON in base64 in a script, which stays JSON in base64', () => {
  const { text } = createRedactor().body(`f(atob("${encoded}"))`, 'text/javascript') as { text: string }
  const [, inner = ''] = /atob\("([\w+/=]+)"\)/.exec(text) ?? []
  expect(JSON.parse(Buffer.from(inner, 'base64').toString())).toEqual({ token: '[redacted]', user: 'ada' })
})

it.for([
  `sdk.setKey("ArrowLeft");getToken("comment-line");f.token("application/json")`,
  `const key = event.key || "Enter", token = next() ?? 'keyword.control'`,
  `token=a?"string.quoted.double":"string.quoted.single";keys=["ArrowUp","PageDown"]`,
  `verify(e,"convertPayloadToBase64");jwt.verify(t, 'HS256');createHmac("sha256", secretKey)`,
  `a=[{name:'token',value:'string'},{key:'session',value:'Session storage'}]`,
  `credentials: cross ? 'same-origin' : 'include', session:Http2Session`,
])('hides nothing of the script %s', (text) => {
  expect(createRedactor().body(text, 'text/javascript')).toEqual({ text })
})

it.for([
  [`)]}'\n{"token":"${SECRET}","a":1}`, `)]}'\n{"token":"[redacted]","a":1}`],
  [`for(;;);{"token":"${SECRET}"}`, 'for(;;);{"token":"[redacted]"}'],
  [`while(1);[{"token":"${SECRET}"}]`, 'while(1);[{"token":"[redacted]"}]'],
  [`/**/ done({"token":"${SECRET}"});\n`, '/**/ done({"token":"[redacted]"});\n'],
] as const)('keeps JSON that no page can run: %s', ([body, text]) => {
  expect(createRedactor().body(body, 'application/json')).toEqual({ text })
})

it('leaves out what begins so and is not JSON', () => {
  expect(createRedactor().body(`)]}'\n{"token":"${SECRET}`, 'application/json')).toHaveProperty('omitted')
})

it('hides a variable of GraphQL that is the argument of a secret name', () => {
  const body = {
    query: 'mutation($p:String!){login(name:"a",password:$p){id}}',
    variables: { p: 'hunter', q: 'b' },
  }
  expect(createRedactor().body(JSON.stringify(body), 'application/json')).toEqual({
    text: JSON.stringify({ ...body, variables: { p: '[redacted]', q: 'b' } }),
  })
})

it.for([
  ['text/html', `<p>Your API key is <code>${SECRET}</code></p>`],
  ['text/html', `<p>Password: <b class="x">${SECRET}</b></p>`],
  ['text/html', `<textarea rows=3 name="private_key">${SECRET}</textarea>`],
  ['text/html', `<div data-props='{"accessToken":"${SECRET}"}'></div>`],
  ['text/css', `a{background:url(https://img.example/x.png?token=${SECRET})}`],
  ['application/xml', `<state>${encoded}</state>`],
  ['application/json', JSON.stringify([{ k: 'password', v: SECRET }])],
  ['application/json', JSON.stringify({ пароль: SECRET, heslo: SECRET })],
] as const)('hides the secret of %s %s', ([type, body]) => {
  const { text } = createRedactor().body(body, type) as { text: string }
  expect([text.includes(SECRET), text.includes(encoded)]).toEqual([false, false])
})

it.for([
  [
    'application/json',
    JSON.stringify({ PT: 'Portugal', PW: 'Palau', zones: { PW: { name: 'Palau', abbr: 'PW' } } }),
  ],
  ['application/json', JSON.stringify({ env: { PWD: '/home/ada', OLDPWD: 'C:\\a' } })],
  ['application/json', JSON.stringify({ id: 'sdk-RelayNamespace-01', tokenColor: 1, token: '#d0d0d0' })],
  ['application/json', JSON.stringify({ apiKey: { deprecated: true, description: 'No', type: 'string' } })],
  [
    'application/json',
    JSON.stringify({ oauth2Credentials: { $ref: '#/components/schemas/ConfigOauth2Credentials9' } }),
  ],
  ['text/plain', 'see a?key=b&key=c\nreadonly session: Http2Session;\n  tokens: OAuth2Tokens;\n'],
  ['text/html', '<p>The token <code>identifier2</code> of a secret <b>sha256</b></p>'],
] as const)('hides nothing of %s %s', ([type, text]) => {
  expect(createRedactor().body(text, type)).toEqual({ text })
})
