import type { Visit } from 'sim-gateway/adapter'
import { workspaceError } from '../errors.ts'
import { isStrict } from '../permissions/is-strict.ts'
import type { Directory } from '../part.ts'
import type { SecretPermission } from './permission.ts'
import type { SecretsState } from './state.ts'

/** The share of the workspace that secrets are about. */
export interface SecretsSlice {
  readonly secrets: SecretsState
  readonly scim: Directory
}

/** What the entries of secret operations have in common. */
export const common = {
  family: 'Secrets',
  version: '2.0',
  support: 'exact',
  tests: [
    'test/secrets/sdk.test.ts > makes, lists and deletes scopes',
    'test/secrets/sdk.test.ts > puts, lists and deletes secrets, and never gives a value back',
    'test/secrets/sdk.test.ts > keeps access control lists, which begin with the maker of a scope',
    'test/secrets/planted.test.ts > is found in no answer, log, error or snapshot',
    'test/secrets/model.test.ts > answers as the model says, whatever the calls',
    'test/secrets/golden.test.ts > answers its contract',
  ],
} as const

/** Where an operation is documented. */
export function docs(name: string): string {
  return `https://docs.databricks.com/api/workspace/secrets/${name}`
}

/** Throws PERMISSION_DENIED where strict mode is on and the caller's permission on a scope does not suffice. */
export function requirePermission(
  { state, credentials, config }: Pick<Visit<SecretsSlice>, 'state' | 'credentials' | 'config'>,
  scope: string,
  permission: SecretPermission,
): void {
  const caller = state.scim.callerOf(credentials)
  const isAllowed = state.secrets.allows(caller, scope, permission)
  if (isAllowed || !isStrict(config)) return
  throw workspaceError(
    'PERMISSION_DENIED',
    `User ${caller.userName} does not have ${permission} permission on scope ${scope}.`,
  )
}
