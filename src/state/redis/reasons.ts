import { StateUnavailable } from '../../errors.ts'

/** Why something could not be done and what helps, without what every message begins with. */
export function reasonOf(error: unknown): string {
  if (error instanceof StateUnavailable) return error.message.replace(/^[^:]*: /, '')
  const { code, message } = error as NodeJS.ErrnoException
  return withHelp(message === '' || message === undefined ? (code ?? String(error)) : message, code)
}

/** A reason, and what helps where that is known. @param code the error's own */
export function withHelp(reason: string, code = ''): string {
  const help = HELP.find(([pattern]) => pattern.test(`${code} ${reason}`))?.[1]
  return help === undefined ? reason : `${reason.replace(/\.$/, '')}. ${help}`
}

const HELP: readonly (readonly [RegExp, string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
    'Name the file of the authority that signed its certificate in NODE_EXTRA_CA_CERTS',
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/,
    'It may want a certificate of the gateway: rediss://host:6379?cert=cert.pem&key=key.pem',
  ],
  [
    /WRONGPASS/,
    'Where its password was changed, start the gateway with the new one, or have it take both for a time: ACL SETUSER default >password',
  ],
  [/NOAUTH/, 'Give the password in the address, as in redis://:password@host'],
  [/EPROTO|WRONG_VERSION/, 'It may not speak TLS: use redis: in place of rediss:'],
]
