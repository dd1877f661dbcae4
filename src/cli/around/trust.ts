import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'

/** Where systems keep the certificates that they trust. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
  '/usr/local/share/certs/ca-root-nss.crt',
]

/** Variables that name a file in place of what the system trusts. */
export const REPLACING = [
  ...['SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO', 'AWS_CA_BUNDLE'],
  ...['PIP_CERT', 'CARGO_HTTP_CAINFO', 'npm_config_cafile'],
] as const

/** Variables that name a file besides what is trusted anyway. */
export const ADDING = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'] as const

type Environment = Readonly<Record<string, string | undefined>>

/** Files of certificates (PEM) that a command is to trust. */
export interface TrustFiles {
  /** The authority, and what the user added before. */
  readonly added: string
  /** The same, and all that the system trusts. */
  readonly whole: string
  /** Folder of settings of PHP that name the latter, which PHP takes from no variable. */
  readonly php: string
}

/** Writes what a command is to trust into a folder: the authority of the gateway besides all that it trusts without it. */
export async function writeTrust(folder: string, authority: string, env: Environment): Promise<TrustFiles> {
  const own = await readFile(authority, 'utf8')
  const [before, extra] = await Promise.all([contentsOf(REPLACING, env), contentsOf(ADDING, env)])
  const files = { added: join(folder, 'added.pem'), whole: join(folder, 'all.pem'), php: folder }
  await Promise.all([
    writeFile(files.added, joined([own, ...extra])),
    writeFile(files.whole, joined([await systemBundle(), ...before, ...extra, own])),
    writeFile(
      join(files.php, 'sim.ini'),
      ['curl.cainfo', 'openssl.cafile'].map((name) => `${name} = "${files.whole}"\n`).join(''),
    ),
  ])
  return files
}

async function contentsOf(names: readonly string[], env: Environment): Promise<readonly string[]> {
  const files = new Set(names.map((name) => env[name] ?? ''))
  files.delete('')
  const texts = await Promise.all([...files].map((file) => readFile(file, 'utf8').catch(() => '')))
  return texts.filter((text) => text !== '')
}

async function systemBundle(): Promise<string> {
  for (const file of SYSTEM_BUNDLES) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.includes('BEGIN CERTIFICATE')) return text
  }
  return rootCertificates.join('\n')
}

function joined(texts: readonly string[]): string {
  return texts.map((text) => `${text.trim()}\n`).join('')
}
