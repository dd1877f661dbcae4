import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { findTemplates } from '../../../src/recording/redaction/script-templates.ts'

const PASSWORD = 'kIwi!p5E2rW'
const TOKEN = 'q7Rk2Lw9Xz4Tn8Vb1Mc6'
const base64 = Buffer.from(PASSWORD + PASSWORD).toString('base64')
const SCRIPT = 'text/javascript'
const SETTINGS = 'text/plain'

const hidden = (body: string, type: string): string => {
  const redacted = createRedactor().body(body, type)
  return 'text' in redacted ? redacted.text : redacted.omitted
}

/** What stands between a name and its value where they are not beside each other, and values that have no name. */
it.for([
  // Settings in template literals.
  [SCRIPT, `const env = \`\nHOST=a\nDB_PASSWORD=${PASSWORD}\n\`;`],
  [SCRIPT, `const y = \`\ndb:\n  password: ${PASSWORD}\n\`;`],
  [SCRIPT, `f(/["'\`]/, \`\${a(\`\${{ b: 1 }}\`)}\n  password: ${PASSWORD}\n\`)`],
  // Comments.
  [SCRIPT, `const password /* prod */ = "${PASSWORD}"`],
  [SCRIPT, `password: /* x */ '${PASSWORD}'`],
  [SCRIPT, `const apiKey = // prod\n  '${TOKEN}'`],
  // Letters that are written by their number.
  [SCRIPT, `var s = {"api\\u004bey":"${TOKEN}"}`],
  [SCRIPT, `var s = "{\\u0022t\\x6fken\\u0022:\\u0022${TOKEN}\\u0022}"`],
  // Arguments.
  [SCRIPT, `login("admin","${PASSWORD}")`],
  [SCRIPT, `client.authenticate('user@example.com', '${PASSWORD}')`],
  [SCRIPT, `jwt.sign({a:1}, '${TOKEN}')`],
  [SCRIPT, `'Basic '+btoa('admin:${PASSWORD}')`],
  [SCRIPT, `Buffer.from('admin:${PASSWORD}').toString('base64')`],
  [SCRIPT, `const password = atob("${base64}")`],
  [SCRIPT, `const t = process.env.TOKEN || '${TOKEN}'`],
  [SCRIPT, `if ("${PASSWORD}" === password) ok()`],
  [SCRIPT, `case 'prod': secretKey = '${TOKEN}'; break`],
  [SCRIPT, `const pass=String.raw\`${PASSWORD}\``],
  ['text/x-python', `smtp.login("a@b.c", "${PASSWORD}")\n`],
  ['text/x-python', `SECRET_KEY = b'${TOKEN}'\n`],
  [SETTINGS, `DriverManager.getConnection("jdbc:mysql://h/d", "root", "${PASSWORD}");\n`],
  [SETTINGS, `ds.setPassword("${PASSWORD}");\n`],
  [SETTINGS, `const API_KEY: &str = "${TOKEN}";\n`],
  [SETTINGS, `buildConfigField("String", "API_KEY", "\\"${TOKEN}\\"")\n`],
  [SETTINGS, `local token = [[${TOKEN}]]\n`],
  [SETTINGS, `my $password = q{${PASSWORD}};\n`],
  [SETTINGS, `variable "db_password" {\n  type = string\n  default = "${PASSWORD}"\n}\n`],
  // The next line.
  [SETTINGS, `secret = """\n${TOKEN}"""\n`],
  [SETTINGS, `db.password=\\\n  ${PASSWORD}\n`],
  ['application/yaml', `password:\n  ${PASSWORD}\nb: 1\n`],
  // Commands and sentences.
  [SETTINGS, `echo "${PASSWORD}" | docker login -u a --password-stdin\n`],
  [SETTINGS, `htpasswd -bc f admin ${PASSWORD}\n`],
  [SETTINGS, `The admin password for staging is: ${PASSWORD}\n`],
  [SETTINGS, `| User | Password |\n|---|---|\n| a | ${PASSWORD} |\n`],
  ['text/markdown', `- **Password:** \`${PASSWORD}\`\n`],
  ['application/json', JSON.stringify({ html: `<p>Your temporary password: <b>${PASSWORD}</b></p>` })],
  ['application/json', JSON.stringify({ tags: `env:prod,api_key:${TOKEN},x:1` })],
  // Elements.
  ['text/html', `<span class="k">password</span><span>:</span> <span class="s">"${PASSWORD}"</span>`],
  ['text/html', `<label>API key</label><code>${TOKEN}</code>`],
  ['text/html', `<label for="k">API key</label><input id="k" readonly value="${TOKEN}">`],
  // Parts have headers.
  [
    'multipart/form-data; boundary=b',
    `--b\r\ncontent-disposition: form-data; name="x"\r\nX-Auth-Token: ${TOKEN}\r\n\r\nhi\r\n--b--\r\n`,
  ],
  // Other languages.
  ...[
    ...['密钥', 'мой_токен', 'पासवर्ड', 'รหัสผ่าน', 'κωδικός', 'mật_khẩu', 'kata_sandi', 'mima'],
    ...[
      'clave_secreta',
      'jeton_acces',
      'chiave_segreta',
      'chave_secreta',
      'geheime_sleutel',
      'apiSchluessel',
    ],
    ...['smtp-auth-pass', 'passwordDigest'],
  ].map((name) => ['application/json', JSON.stringify({ [name]: PASSWORD })] as const),
] as const)('hides the secret of %s %s', ([type, body]) => {
  const text = hidden(body, type)
  expect([PASSWORD, TOKEN, base64].filter((secret) => text.includes(secret))).toEqual([])
  expect(text).toMatch(/\[redacted\]|~[0-9a-f]*~/)
})

it.for([
  [SCRIPT, 'login(user, "admin2"); auth("local", "session-name"); setPassword("password1")'],
  [SCRIPT, 'const TOKEN = String.raw`[!#$%&a-z0-9]+`, key = "\\\\u0074oken"'],
  [SCRIPT, 'a({ token: next1.token2, pwd: c`x` }) // password: none\n'],
  [SCRIPT, '`a`; const b = { password: o.x1y2z3\n}; `c`'],
  [SETTINGS, 'url: http://a.example\n"page": "a1b2c3d4"\n'],
  [SETTINGS, 'secret = """\nWhat it is 4 is said below\n"""\n'],
  ['application/yaml', 'password:\n  type: string2\n  min1: 3\n'],
  ['text/markdown', '| Token | Meaning |\n|---|---|\n| identifier1 | a name |\n'],
  ['text/html', '<b>token</b>: <code>identifier1</code>'],
  ['application/json', JSON.stringify({ pass: 'elementuak hutsik ez dagoen balio atributua du' })],
] as const)('hides nothing of %s %s', ([type, body]) => {
  expect(hidden(body, type)).toBe(body)
})

it('finds the texts of template literals, and not what is between them', () => {
  const script = 'a="`"; /`/.test(b / c); // `\n/* ` */ x(`1${y({ z: `2` }, "}")}3`, d) + `4`'
  const isInTemplate = findTemplates(script)
  const inside = Array.from(script).filter((each, at) => isInTemplate(at) && /\w/.test(each))
  expect(inside.join('')).toBe('1234')
})

it.for([
  ['{\n  // the "port"\n  "port": 80, /* , */\n  "url": "http://a//b", // last\n}\n', undefined],
  [`{"a": 1, // token: ${TOKEN}\n "b": [2,],}`, '{"a": 1, // token: [redacted]\n "b": [2,],}'],
  [`{"token": "${TOKEN}", // mine\n}`, '{"token": "[redacted]"         \n}'],
] as const)('keeps JSON with comments and last commas: %s', ([body, kept = body]) => {
  expect(hidden(body, 'application/json')).toBe(kept)
})

it('leaves out what stays invalid without its comments', () => {
  expect(createRedactor().body('{"a": 1 /* b */ 2}', 'application/json')).toHaveProperty('omitted')
})
