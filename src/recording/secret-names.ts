// Names are compared in lower case and without separators, so that `X-Api-Key`, `api_key` and `apiKey` are one.
// The end of a name says what it holds: `access_token` is a token, `token_type` and `keyword` are not.
const SECRET = new RegExp(
  `(${[
    ...['token', 'secret', 'password', 'passwd', 'passphrase', 'jwt', 'signature', 'credential', 'assertion'],
    ...['authorization', 'csrf', 'xsrf', 'sessionid', 'sessionkey', 'connectionstring', 'accesskeyid'],
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
])

// Places in a list and names of retries are no secrets, and replay needs them.
const PLACE =
  /(page|next|prev|previous|continuation|cursor|sync|paging|pagination|skip|delta|change|resume|start)token$/

// Too common as field names in JSON, but as parameters they carry credentials (`?key=AIza…`, `?auth=…`).
const SECRET_PARAMETERS = new Set(['key', 'auth'])

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** Whether a JSON field, a form field or a header of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const squeezed = squeeze(name)
  return SECRET_WORDS.has(squeezed) || (SECRET.test(squeezed) && !PLACE.test(squeezed))
}

/** Whether a query parameter or form field of this name holds a secret; `key` and `auth` do here. */
export function isSecretParameter(name: string): boolean {
  return SECRET_PARAMETERS.has(squeeze(name)) || isSecretName(name)
}
