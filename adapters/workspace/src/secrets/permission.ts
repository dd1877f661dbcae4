/** What a principal may do with a scope, each including those before. */
export const SECRET_PERMISSIONS = ['READ', 'WRITE', 'MANAGE'] as const

/** One of the permissions. */
export type SecretPermission = (typeof SECRET_PERMISSIONS)[number]

/** Whether a text names a permission. */
export function isSecretPermission(text: string): text is SecretPermission {
  return (SECRET_PERMISSIONS as readonly string[]).includes(text)
}

/** Whether one permission includes another. */
export function includesPermission(held: SecretPermission, wanted: SecretPermission): boolean {
  return SECRET_PERMISSIONS.indexOf(held) >= SECRET_PERMISSIONS.indexOf(wanted)
}
