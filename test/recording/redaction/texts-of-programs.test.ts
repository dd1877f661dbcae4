import { expect, it } from 'vitest'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'

/** What programs say to their users, and programs themselves, as servers give them: none of it is a secret. */
const TEXTS: readonly (readonly [type: string, text: string])[] = [
  // Texts of programs in YAML.
  [
    'application/yaml',
    [
      '  notice_can_t_change_password: Dieses Konto verwendet eine externe Quelle. Das Passwort bleibt.',
      '  mail_body_lost_password: "Per a canviar la contrasenya, feu clic en l\'enllaç següent:"',
      '  mail_subject_lost_password: "Ihr %{value} Passwort"',
      '  yourpassword: "Mot de passe :"',
      '#"identity:get_application_credential": "(role:reader and system_scope:all) or rule:owner"',
    ].join('\n'),
  ],
  // Programs in JSON, as stores of source code give them.
  [
    'application/json',
    JSON.stringify({
      content: "const EVENT = 'a';\nconst DATA_API_KEY = '.data-api';\nconst SESSION_TOKEN = '_language';\n",
    }),
  ],
  [
    'application/json',
    JSON.stringify(
      Object.fromEntries(
        Array.from({ length: 24 }, (_, index) => [`text-${index}`, `There are $1 of ${index} pages.`]).concat(
          [['userlogin-yourpassword', 'Kata sandi']],
        ),
      ),
    ),
  ],
  [
    'text/javascript',
    'names = {"@keywords": {token: "keyword.$0"}, "@default": {token: "markup.heading.1"}}',
  ],
  ...scripts(
    'e.passKeys=!1!==e.passKeys,e.reverse=!!e.reverse,e.keys=0!=e.keys,e.values=1',
    'n.push({marker:i,length:0,token:t.tokens.length-1,end:-1})',
    '"("===g?this.out.space_before_token=!1:"","!"!==g&&this.indent()',
    'nr.hmacSha1=class{constructor(e){let t=this,n=t.hash=Qn.sha1,r=[[1,2]]}}',
    'i=entry&0xffff;key=entry>>16;container=this.at(key);const ca=1',
    'keys[j]=key[s+3];key=otherKey;start=0;distance=other;slot=(slot+1)&mask',
    's.emit(new Error("no password"));o.password=f1(o.password) this.o=o,ae("connected: done")',
    'e("b",{},"MD5 Signature:"),u.a.create(_,{uniqueKey:v.v4(),text:t.sig})}},function(e){"use strict"}',
    "a='//'+user9x+'@'+host;b='token:'.concat(t1q9z8,'x')",
    'icons = {"fa-user-secret": "\\uf21b"}',
    `atob("${'AGFzbQEAAAABoQEWYAJ/fwF/'.repeat(9)}+gAAAAACAN+mAgApwIAOLcCAEC3AgAduAIAILgCAKHOAgCwzgIA4OsCAAAAAwBKEwMA")`,
  ),
]

// Alone, and in a page.
function scripts(...texts: readonly string[]): [type: string, text: string][] {
  return texts.flatMap((text) => [
    ['application/javascript; charset=UTF-8', text],
    ['text/html', `<!doctype html><script type="module">${text}</script><p>`],
  ])
}

it.for([
  'const api = {token: "q7Rk2Lw9Xz4Tn8Vb1Mc6", n: 1}',
  "fetch('https://api.example/v1?api_key=q7Rk2Lw9Xz4Tn8Vb1Mc6&x=1')",
  'url = `https://ada:q7Rk2Lw9Xz4Tn8Vb1Mc6@db.example/x`',
  'url = "https://api.example/a;jsessionid=q7Rk2Lw9Xz4Tn8Vb1Mc6"',
  'open({to: "Server=db;User Id=sa;Password=q7Rk2Lw9Xz4Tn8Vb1Mc6;Database=a"})',
  "cache('redis://:q7Rk2Lw9Xz4Tn8Vb1Mc6@h:1')",
  '"//"+u+"@";run("PASSWORD=q7Rk2Lw9Xz4Tn8Vb1Mc6")',
  '// api_key: q7Rk2Lw9Xz4Tn8Vb1Mc6\nf()',
])('hides the secret of the script %s', (text) => {
  for (const [type, script] of scripts(text)) {
    const body = createRedactor().body(script, type)
    expect('text' in body && body.text).not.toContain('q7Rk2Lw9Xz4Tn8Vb1Mc6')
  }
})

it.for([
  ['application/json', '{"header":"Authorization: SSWS 00dGVzdF9rZXlfaGVyZQ8fKq2LmXx"}'],
  ['application/json', '{"text":"boxKEY Xk29fjQpLw83mZbT61vRcYdN04sAeHgU"}'],
  ['text/x-python', "DB_PASSWORD = 'sunshine'"],
] as const)('hides what is secret of %s %s', ([type, text]) => {
  expect(createRedactor().body(text, type)).not.toEqual({ text })
})

it.for([
  ['application/json', '{"(google.api.method_signature)":"name,filter"}'],
  ['text/plain', '[ CA ]\nprivate_key = $dir/private/cakey.pem# The private key\n'],
  ['text/x-python', "PASSWORD = 'password'\nSECRET_KEY = 'secret-key'\nDB_PASSWORD = 'db_pass'"],
  ['application/json', '{"about":"authorization: optional parameter for everything"}'],
] as const)('hides nothing of the text %s %s', ([type, text]) => {
  expect(createRedactor().body(text, type)).toEqual({ text })
})

it.for(TEXTS)('hides nothing of %s %s', ([type, text]) => {
  expect(createRedactor().body(text, type)).toEqual({ text })
})
