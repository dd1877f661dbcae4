import { StateUnusable } from '../../errors.ts'

/** Where a server of state is, and as whom it is used. */
export interface StateAddress {
  /** As messages name it: never with a password. */
  readonly text: string
  readonly host?: string
  readonly port?: number
  /** The path of a Unix socket. */
  readonly path?: string
  readonly isSecure: boolean
  readonly username?: string
  readonly password?: string
  readonly database: number
}

const FORMS =
  'give redis://host:6379, rediss://user:password@host:6379/0 or unix:/path/of/the/socket for the shared state'

/** @throws StateUnusable, which does not repeat what it cannot read: a password may be in it */
export function readStateAddress(url: string): StateAddress {
  if (url.startsWith('unix:')) return readUnix(url)
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hostname === '')
    throw new StateUnusable([`The address of the shared state cannot be read: ${FORMS}`])
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = parsed.port === '' ? 6379 : Number(parsed.port)
  return {
    ...{ text: `${parsed.protocol}//${parsed.hostname}:${port}`, host, port },
    isSecure: parsed.protocol === 'rediss:',
    ...credentials(parsed.username, parsed.password),
    database: databaseOf(parsed.pathname.slice(1)),
  }
}

function readUnix(url: string): StateAddress {
  const [, username = '', password = '', path = '', query = ''] =
    /^unix:(?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?)?(\/[^?]+)(?:\?(.*))?$/.exec(url) ?? []
  if (path === '') throw new StateUnusable([`The address of the shared state cannot be read: ${FORMS}`])
  return {
    ...{ text: `unix:${path}`, path: decode(path), isSecure: false },
    ...credentials(username, password),
    database: databaseOf(new URLSearchParams(query).get('db') ?? ''),
  }
}

function credentials(username: string, password: string): Pick<StateAddress, 'username' | 'password'> {
  return {
    ...(username !== '' && { username: decode(username) }),
    ...(password !== '' && { password: decode(password) }),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new StateUnusable([
      'The address of the shared state has a % that is not followed by two hex digits',
    ])
  }
}

function databaseOf(text: string): number {
  if (/^\d{0,4}$/.test(text)) return Number(text)
  throw new StateUnusable([
    'The database in the address of the shared state must be a number, as in redis://host/0',
  ])
}
