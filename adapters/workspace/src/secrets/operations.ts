import type { Operation } from 'sim-gateway/adapter'
import { aclOperations } from './acl-operations.ts'
import type { SecretsSlice } from './access.ts'
import { keyOperations } from './key-operations.ts'
import { scopeOperations } from './scope-operations.ts'

/** The operations of secrets. */
export const secretsOperations: readonly Operation<SecretsSlice>[] = [
  ...scopeOperations,
  ...keyOperations,
  ...aclOperations,
]
