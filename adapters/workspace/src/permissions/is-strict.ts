import type { AdapterConfig } from 'sim-gateway/adapter'

/** Whether permissions are enforced: where only declared tokens are let in. */
export function isStrict({ auth }: Pick<AdapterConfig, 'auth'>): boolean {
  return (typeof auth === 'object' ? auth.mode : auth) === 'strict'
}
