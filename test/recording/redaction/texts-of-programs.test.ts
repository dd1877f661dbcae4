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
]

it.for(TEXTS)('hides nothing of %s %s', ([type, text]) => {
  expect(createRedactor().body(text, type)).toEqual({ text })
})
