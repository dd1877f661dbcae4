import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  cryptoProvider,
} from '@peculiar/x509'

/** A key and its certificate, both PEM. */
export interface KeyPair {
  readonly key: string
  readonly cert: string
}

/** A certificate authority: what it signs with. */
export type Authority = KeyPair

const KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' }
const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3650
/** Browsers refuse more than 398 days. */
const HOST_DAYS = 365

// The types of Node's Web Crypto and of the browsers' differ in name alone.
cryptoProvider.set(webcrypto as unknown as Parameters<typeof cryptoProvider.set>[0])

/** A new certificate authority. */
export async function createAuthority(): Promise<Authority> {
  const keys = await generateKeys()
  const name = `CN=sim local CA ${randomBytes(4).toString('hex')}, O=sim`
  const cert = await X509CertificateGenerator.createSelfSigned({
    ...validFor(AUTHORITY_DAYS),
    name,
    keys,
    signingAlgorithm: SIGNATURE,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await pemOf(keys.privateKey), cert: cert.toString('pem') }
}

/** Makes certificates in an authority's name, all of one new key. */
export async function createIssuer(authority: Authority): Promise<(host: string) => Promise<KeyPair>> {
  const issuer = new X509Certificate(authority.cert)
  const [der] = PemConverter.decode(authority.key)
  const signingKey = await webcrypto.subtle.importKey('pkcs8', der ?? new ArrayBuffer(0), KEY, false, [
    'sign',
  ])
  const keys = await generateKeys()
  const key = await pemOf(keys.privateKey)

  return async (host) => {
    const cert = await X509CertificateGenerator.create({
      ...validFor(HOST_DAYS),
      subject: 'CN=sim',
      issuer: issuer.subjectName,
      publicKey: keys.publicKey,
      signingKey,
      signingAlgorithm: SIGNATURE,
      extensions: [
        new SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }]),
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return { key, cert: cert.toString('pem') }
  }
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY, true, ['sign', 'verify'])
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

// A day back, for clients whose clocks are late.
function validFor(days: number): { serialNumber: string; notBefore: Date; notAfter: Date } {
  const now = Date.now()
  // RFC 5280, section 4.1.2.2: positive, and not longer than 20 bytes.
  const serialNumber = `01${randomBytes(15).toString('hex')}`
  return { serialNumber, notBefore: new Date(now - DAY_MS), notAfter: new Date(now + days * DAY_MS) }
}
