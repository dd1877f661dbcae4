import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createAuthority, createIssuer, type KeyPair } from '../../src/http/certificates.ts'
import { readServerCertificate } from '../../src/http/server-certificate.ts'

const YEAR_MS = 366 * 86_400_000

let own: KeyPair
let other: KeyPair

beforeAll(async () => {
  const issue = await createIssuer(await createAuthority())
  own = await issue('own.test')
  other = await (await createIssuer(await createAuthority()))('own.test')
})

describe('a certificate that the operator brings', () => {
  it('is taken with its key', () => {
    expect(readServerCertificate(own)).toBeDefined()
  })

  it('must be a certificate, and its key', () => {
    expect(() => readServerCertificate({ ...own, cert: 'x' })).toThrow('--tls-cert has no certificate (PEM)')
    expect(() => readServerCertificate({ ...own, key: 'x' })).toThrow('--tls-key has no key (PEM')
    expect(() => readServerCertificate({ ...own, key: other.key })).toThrow(
      '--tls-key is not the key of the certificate of --tls-cert',
    )
  })

  it.for([
    ['after', YEAR_MS, /^The certificate of --tls-cert expired on \d{4}-/],
    ['before', -YEAR_MS, /^The certificate of --tls-cert is not valid before \d{4}-/],
  ] as const)('is refused %s its time', ([, ms, message]) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
    try {
      expect(() => readServerCertificate(own)).toThrow(message)
    } finally {
      vi.useRealTimers()
    }
  })
})
