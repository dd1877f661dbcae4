import { StateUnusable } from '../../errors.ts'

/** Where one server is, and as whom it is used. */
export interface ServerAddress {
  /** As messages name it: never with a password. */
  readonly text: string
  readonly host?: string
  readonly port?: number
  /** The path of a Unix socket. */
  readonly path?: string
  readonly isSecure: boolean
  readonly tls?: TlsFiles
  readonly username?: string
  readonly password?: string
  readonly database: number
}

/** Files (PEM) for TLS, by the names that `redis-cli` has for them. */
export interface TlsFiles {
  /** The certificate of the gateway, for servers that want one. */
  readonly cert?: string
  readonly key?: string
  /** The authorities that may have signed that of the server; by default those that Node knows. */
  readonly cacert?: string
}

/** Where state is kept: on one server, or on those that others are to name. */
export interface StateAddress extends ServerAddress {
  readonly sentinels?: Sentinels
  /** Nodes of a cluster, of which one is enough to know all others. */
  readonly cluster?: readonly Node[]
}

/** Sentinels that know which server is the primary. */
export interface Sentinels {
  readonly nodes: readonly Node[]
  /** What they call it. */
  readonly primary: string
}

/** Where a server listens. */
export interface Node {
  readonly host: string
  readonly port: number
}

const FORMS =
  'give redis://host:6379, rediss://user:password@host:6379/0, unix:/path/of/the/socket, ' +
  'redis+sentinel://host:26379,host:26379/name-of-the-primary or ' +
  'redis+cluster://host:6379,host:6379 for the shared state'
const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^/]*)@)?([^/@]+)(?:\/([\w.-]*))?(?:\/([^/]*))?$/

/** @throws StateUnusable, which does not repeat what it cannot read: a password may be in it */
export function readStateAddress(url: string): StateAddress {
  if (url.startsWith('unix:')) return readUnix(url)
  const at = url.lastIndexOf('?')
  const isQuery = at > url.lastIndexOf('@')
  const plain = isQuery ? url.slice(0, at) : url
  const tls = isQuery ? readTls(url.slice(at + 1), url.startsWith('rediss')) : undefined
  return { ...(/^rediss?\+/.test(plain) ? readSeveral(plain) : readOne(plain)), ...(tls && { tls }) }
}

function readOne(url: string): StateAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !['redis:', 'rediss:'].includes(parsed.protocol) || parsed.hostname === '')
    throw unreadable()
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = parsed.port === '' ? 6379 : Number(parsed.port)
  return {
    ...{ text: `${parsed.protocol}//${parsed.hostname}:${port}`, host, port },
    isSecure: parsed.protocol === 'rediss:',
    ...credentials(parsed.username, parsed.password),
    database: databaseOf(parsed.pathname.slice(1)),
  }
}

/** A server as messages name it. */
export function nodeText({ host, port }: Node): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

function readSeveral(url: string): StateAddress {
  const [, protocol = '', kind, user = '', hosts = '', primary = '', database = ''] = SEVERAL.exec(url) ?? []
  const isCluster = kind === 'cluster'
  if (kind === undefined || isCluster !== (primary === '')) throw unreadable()
  const nodes = hosts.split(',').map((each) => readNode(each, isCluster ? 6379 : 26379))
  const at = user.includes(':') ? user.indexOf(':') : user.length
  const text = `${protocol}+${kind}://${nodes.map(nodeText).join(',')}`
  return {
    text: isCluster ? text : `${text}/${primary}`,
    isSecure: protocol === 'rediss',
    ...credentials(user.slice(0, at), user.slice(at + 1)),
    database: databaseOf(database),
    ...(isCluster ? { cluster: nodes } : { sentinels: { nodes, primary } }),
  }
}

function readTls(query: string, isSecure: boolean): TlsFiles {
  const files = Object.fromEntries(new URLSearchParams(query))
  const unknown = Object.keys(files).find((name) => !isSecure || !['cert', 'key', 'cacert'].includes(name))
  if (unknown !== undefined)
    throw new StateUnusable([
      'The address of the shared state may have files after a ?, as in rediss://host:6379?cert=a.pem&key=b.pem&cacert=c.pem',
    ])
  return files
}

function readNode(text: string, otherwise: number): Node {
  const [, v6, host = v6, port = String(otherwise)] =
    /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw unreadable()
  return { host, port: Number(port) }
}

function readUnix(url: string): StateAddress {
  const [, username = '', password = '', path = '', query = ''] =
    /^unix:(?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?)?(\/[^?]+)(?:\?(.*))?$/.exec(url) ?? []
  if (path === '') throw unreadable()
  return {
    ...{ text: `unix:${path}`, path: decode(path), isSecure: false },
    ...credentials(username, password),
    database: databaseOf(new URLSearchParams(query).get('db') ?? ''),
  }
}

function unreadable(): StateUnusable {
  return new StateUnusable([`The address of the shared state cannot be read: ${FORMS}`])
}

function credentials(username: string, password: string): Pick<ServerAddress, 'username' | 'password'> {
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
