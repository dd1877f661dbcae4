import { redaction, squeeze } from './redaction-rules.ts'

// Names are compared in lower case and without separators, so that `X-Api-Key`, `api_key` and `apiKey` are one.
// The end of a name says what it holds: `access_token` is a token, `token_type` and `keyword` are not.
const SECRET = new RegExp(
  `(${[
    ...['token', 'secret', 'password', 'passwd', 'passphrase', 'jwt', 'signature', 'credential', 'assertion'],
    ...['authorization', 'csrf', 'xsrf', 'sessionid', 'sessionkey', 'connectionstring', 'accesskeyid'],
    ...['passcode', 'sessid', 'verificationcode', 'recoverycode'],
    ...[
      'apikey',
      'appkey',
      'applicationkey',
      'accesskey',
      'secretkey',
      'privatekey',
      'signingkey',
      'authkey',
    ],
    ...[
      'accountkey',
      'sharedkey',
      'masterkey',
      'encryptionkey',
      'customerkey',
      'consumerkey',
      'functionskey',
    ],
    ...[
      'subscriptionkey',
      'licensekey',
      'apikeys',
      'passwords',
      'accesstokens',
      'refreshtokens',
      'apitokens',
    ],
  ].join('|')})(\\d+|hash|value|string|plain|confirm|confirmation)?$`,
)

const SECRET_WORDS = new Set([
  ...['session', 'sig', 'pwd', 'pass', 'otp', 'bearer', 'cookie', 'setcookie', 'xauth', 'codeverifier'],
  ...['totp', 'mfacode', 'phpsessid'],
])

// Places in a list and names of retries are no secrets, and replay needs them.
const PLACE =
  /(page|next|prev|previous|continuation|cursor|sync|paging|pagination|skip|delta|change|resume|start)token$/

// Too common as field names in JSON, but as parameters they carry credentials (`?key=AIza…`, `?auth=…`).
const SECRET_PARAMETERS = new Set(['key', 'auth', 'sid'])

/** Whether a JSON field, a form field or a header of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const { names } = redaction()
  const known = names.get(name)
  if (known !== undefined) return known
  const found = isSecret(squeeze(name))
  names.set(name, found)
  return found
}

/** Whether a query parameter or form field of this name holds a secret; `key` and `auth` do here. */
export function isSecretParameter(name: string): boolean {
  const squeezed = squeeze(name)
  return isSecret(squeezed) || (SECRET_PARAMETERS.has(squeezed) && !redaction().isExempt(squeezed))
}

/** Whether the rules in force say that what has this name is no secret. */
export function isExemptName(name: string): boolean {
  return redaction().isExempt(squeeze(name))
}

function isSecret(squeezed: string): boolean {
  const { isNamed, isExempt } = redaction()
  if (isExempt(squeezed)) return false
  if (SECRET_WORDS.has(squeezed) || isNamed(squeezed)) return true
  return SECRET.test(squeezed) && !PLACE.test(squeezed)
}
