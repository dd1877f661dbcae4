import type { NameKind } from './names.ts'

/** What a JSON text says of itself, and whose values are secrets then, whatever they are called. */
interface Said {
  /** A text that is in each where it says so. */
  readonly mark: string
  readonly pattern: RegExp
  readonly names: RegExp
  /** What these names say. */
  readonly kind?: NameKind
}

/** Calls that log in, whose arguments have places in place of names. */
const CALL: Omit<Said, 'mark'> = {
  pattern:
    /"(?:method|action|command|cmd|type|event|op|target)"\s{0,9}:\s{0,9}"(?:[\w-]{1,40}[./:])?(?:log-?in|sign-?in|auth(?:enticate|key\w{0,20})?)(?:_?(?:with|by|using)\w{1,40})?"/i,
  names: /^(?:params|args|arguments)$/,
  kind: 'secrets',
}

/** Secrets as their stores give them, and states of what is made from a plan. */
export const SAID: readonly Said[] = [
  ...['ogin"', 'uth"', 'ignin"', 'ignIn"', 'uthenticate"', '"authKey'].map((mark) => ({ mark, ...CALL })),
  ...['with', 'With', 'by', 'By', 'using', 'Using']
    .flatMap((word) =>
      ['ogin', 'ignin', 'ignIn', 'uthenticate'].flatMap((call) => [call + word, `${call}_${word}`]),
    )
    .map((mark) => ({ mark, ...CALL })),
  // What a store is opened with, which is given once and together.
  {
    mark: '"root_token"',
    pattern: /"root_token"\s{0,9}:/,
    names: /^(?:keys|keys_base64|unseal_keys_(?:b64|hex))$/,
    kind: 'secrets',
  },
  // Kubernetes.
  {
    mark: '"Secret"',
    pattern: /"kind"\s{0,9}:\s{0,9}"Secret"/,
    names: /^(?:data|stringData)$/,
  },
  {
    mark: '"SecretList"',
    pattern: /"kind"\s{0,9}:\s{0,9}"SecretList"/,
    names: /^(?:data|stringData)$/,
  },
  // Terraform.
  {
    mark: '"random_password"',
    pattern: /"type"\s{0,9}:\s{0,9}"random_password"/,
    names: /^(?:result|bcrypt_hash)$/,
  },
  // Pulumi, which marks its secrets by this.
  {
    mark: '"1b47061264138c4ac30d75fd1eb44270"',
    pattern: /:\s{0,9}"1b47061264138c4ac30d75fd1eb44270"/,
    names: /^plaintext$/,
  },
  // Vaults of clouds.
  {
    mark: '"SecureString"',
    pattern: /"Type"\s{0,9}:\s{0,9}"SecureString"/,
    names: /^Value$/,
  },
  {
    mark: '.vault.azure.net/secrets/',
    pattern: /"id"\s{0,9}:\s{0,9}"https:\/\/[\w-]{1,60}\.vault\.azure\.net\/secrets\/[\w-]{1,127}\/\w/,
    names: /^value$/,
  },
  {
    mark: '/secrets/',
    pattern: /"name"\s{0,9}:\s{0,9}"projects\/[\w-]{1,60}\/secrets\/[\w-]{1,255}\/versions\//,
    names: /^data$/,
  },
]

/** A variable of GraphQL that is the argument of a secret name, whatever it is called. */
const VARIABLE =
  /\b(\w{0,40}(?:passw(?:or)?d|pass|pwd|pin|otp|secret|token|code|key))\s{0,9}:\s{0,9}\$(\w{1,60})\b/gi

/** Finds texts with such variables. */
export const MAY_HAVE_VARIABLES = new RegExp(VARIABLE.source, 'i')

function secretVariables(text: string, kindOf: (name: string) => NameKind): ReadonlySet<string> {
  if (!text.includes('"variables"') || !text.includes('$')) return NONE
  const named = Array.from(text.matchAll(VARIABLE), ([, name = '', variable = '']) => ({ name, variable }))
  return new Set(named.flatMap(({ name, variable }) => (kindOf(name) === 'secret' ? [variable] : [])))
}

const NONE: ReadonlySet<string> = new Set()

/** What names say within a text that says so of itself. */
export function kindOfSaid(
  text: string,
  kindOf: (name: string) => NameKind,
): ((name: string) => NameKind) | undefined {
  const said = SAID.filter(({ mark, pattern }) => text.includes(mark) && pattern.test(text))
  const variables = secretVariables(text, kindOf)
  if (said.length === 0 && variables.size === 0) return undefined
  return (name) => {
    if (variables.has(name)) return 'secret'
    const named = said.find(({ names }) => names.test(name))
    return named === undefined ? kindOf(name) : (named.kind ?? 'secret')
  }
}
