import { isObject } from '../../engine/schema/schema.ts'

const FLOWS: Readonly<Record<string, string>> = {
  implicit: 'implicit',
  password: 'password',
  application: 'clientCredentials',
  accessCode: 'authorizationCode',
}

/** A security definition of Swagger 2.0 as OpenAPI 3.0 says it. */
export function securitySchemeOf(value: unknown): unknown {
  if (!isObject(value)) return value
  const { type, flow, authorizationUrl, tokenUrl, scopes, ...others } = value
  if (type === 'basic') return { ...others, type: 'http', scheme: 'basic' }
  if (type !== 'oauth2') return value
  const name = FLOWS[String(flow)] ?? 'implicit'
  return {
    ...others,
    type,
    flows: {
      [name]: {
        ...(authorizationUrl !== undefined && { authorizationUrl }),
        ...(tokenUrl !== undefined && { tokenUrl }),
        scopes: scopes ?? {},
      },
    },
  }
}
