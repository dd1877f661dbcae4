import { describe, expect, it } from 'vitest'
import { isSecretName, isSecretParameter } from '../../../src/recording/redaction/secret-names.ts'

describe('isSecretName', () => {
  it.for([
    ...[
      'access_token',
      'refreshToken',
      'id_token',
      'token',
      'ID-TOKEN',
      'password',
      'Passwd',
      'pwd',
      'secret',
    ],
    ...[
      'client_secret',
      'api_key',
      'apikey',
      'API Key',
      'authorization',
      'session',
      'session_id',
      'jwt',
      'sig',
    ],
    ...[
      'signature',
      'user[password]',
      'password2',
      'passwordHash',
      'password_confirmation',
      'SecretAccessKey',
    ],
    ...[
      'SecretString',
      'token_value',
      'connectionString',
      'code_verifier',
      'client_assertion',
      'X-Amz-Credential',
    ],
    ...['x-api-key', 'api-key', 'X-Auth-Token', 'X-CSRF-Token', 'Proxy-Authorization', 'X-Hub-Signature-256'],
    ...['Ocp-Apim-Subscription-Key', 'DD-APPLICATION-KEY', 'X-Auth-Key', 'x-functions-key', 'X-XSRF'],
  ])('takes %s for a secret', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.for([
    ...[
      'next_page_token',
      'nextPageToken',
      'page_token',
      'nextToken',
      'continuationToken',
      'next_sync_token',
    ],
    ...[
      'token_type',
      'tokens_used',
      'max_tokens',
      'tokenizer',
      'keyword',
      'key',
      'primary_key',
      'monkey',
      'author',
    ],
    ...[
      'Idempotency-Key',
      'Sec-WebSocket-Key',
      'WWW-Authenticate',
      'secrets',
      'password_expires_at',
      'design',
    ],
    ...['client_assertion_type', 'subject_token_type', 'signed', 'sessions', 'cache-control', 'auth', ''],
  ])('takes %s for harmless', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})

describe('isSecretParameter', () => {
  it.for(['key', 'Key', 'auth', 'access_token'])('takes %s for a secret', (name) => {
    expect(isSecretParameter(name)).toBe(true)
  })

  it.for(['page_token', 'keyword', 'sort_key'])('takes %s for harmless', (name) => {
    expect(isSecretParameter(name)).toBe(false)
  })
})
