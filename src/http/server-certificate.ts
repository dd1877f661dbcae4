import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { OptionInvalid } from '../errors.ts'

/** A certificate with those that it was issued by, and its key, both PEM. */
export interface ServerCertificate {
  readonly cert: string
  readonly key: string
}

/**
 * A certificate that the operator brings, ready for use.
 * @throws OptionInvalid when one of both is malformed, they do not belong together, or it is not valid now
 */
export function readServerCertificate({ cert, key }: ServerCertificate): SecureContext {
  const certificate = attempt('--tls-cert has no certificate (PEM)', () => new X509Certificate(cert))
  const secret = attempt('--tls-key has no key (PEM, without a passphrase)', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(secret))
    throw new OptionInvalid('--tls-key is not the key of the certificate of --tls-cert')
  const [from, to] = [new Date(certificate.validFrom), new Date(certificate.validTo)]
  if (to.getTime() < Date.now())
    throw new OptionInvalid(`The certificate of --tls-cert expired on ${to.toISOString()}`)
  if (from.getTime() > Date.now())
    throw new OptionInvalid(`The certificate of --tls-cert is not valid before ${from.toISOString()}`)
  return attempt('--tls-cert and --tls-key cannot be used', () => createSecureContext({ cert, key }))
}

function attempt<Result>(problem: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw new OptionInvalid(`${problem}: ${(error as Error).message}`, { cause: error })
  }
}
