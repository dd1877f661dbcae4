import { X509Certificate, createPrivateKey, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AuthorityUnusable } from '../errors.ts'
import type { Authority } from './certificates.ts'

/** A certificate authority of this user's own, and the file that clients are to trust. */
export interface LocalAuthority extends Authority {
  /** Path of the certificate (PEM). It is not secret. */
  readonly certFile: string
}

const SECRET_FILE = 'ca-key.pem'
const CERT_FILE = 'ca.pem'

/**
 * The certificate authority in a directory, made there the first time. Several processes may do so at once.
 * @throws AuthorityUnusable when it cannot be made or read, has expired, or others may read its key
 */
export async function openAuthority(directory: string): Promise<LocalAuthority> {
  const secretFile = join(directory, SECRET_FILE)
  try {
    const pem = (await readSecret(secretFile)) ?? (await makeSecret(directory, secretFile))
    const authority = readAuthority(pem, secretFile)
    return { ...authority, certFile: await writeCert(directory, authority.cert) }
  } catch (error) {
    throw unusable(directory, error)
  }
}

/** The certificate (PEM) of the authority in a directory; `undefined` where none was made yet. */
export function findCertificate(directory: string): Promise<string | undefined> {
  return readFile(join(directory, CERT_FILE), 'utf8').catch(() => undefined)
}

/**
 * Whether the certificate authority in a directory can be used, if there is one already.
 * @param isNamed whether somebody wants this very directory; else one that cannot be entered is left alone until it is needed
 * @throws AuthorityUnusable as `openAuthority` does
 */
export async function checkAuthority(directory: string, isNamed: boolean): Promise<void> {
  const file = join(directory, SECRET_FILE)
  try {
    const pem = await readSecret(file)
    if (pem !== undefined) readAuthority(pem, file)
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (isNamed || code !== 'EACCES' || syscall !== 'stat') throw unusable(directory, error)
  }
}

function unusable(directory: string, error: unknown): AuthorityUnusable {
  if (error instanceof AuthorityUnusable) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new AuthorityUnusable(
    `The certificate authority in ${directory} cannot be used: ${reason}. Choose another directory with --ca-dir`,
    { cause: error },
  )
}

// Key and certificate are in one file, so that no reader ever sees half of a pair.
async function makeSecret(directory: string, file: string): Promise<string> {
  // The library that makes certificates takes longer to load than all the rest.
  const { createAuthority } = await import('./certificates.ts')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { key, cert } = await createAuthority()
  const draft = join(directory, `${SECRET_FILE}.${randomUUID()}`)
  await writeFile(draft, `${key}\n${cert}\n`, { mode: 0o600, flag: 'wx' })
  try {
    await link(draft, file)
  } catch (error) {
    // Another process was faster, and its pair is the one that counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new AuthorityUnusable(
        `Others may read ${file}, the key that signs certificates in your name. ` +
          `Run chmod 600 ${file}; or, if they may have read it, delete it, and trust the new one that sim ca makes`,
      )
    }
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const PEM_BLOCK = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g

function readAuthority(pem: string, file: string): Authority {
  const blocks = [...pem.matchAll(PEM_BLOCK)]
  const [key, cert] = ['PRIVATE KEY', 'CERTIFICATE'].map(
    (type) => blocks.find(([, found]) => found === type)?.[0],
  )
  if (
    key === undefined ||
    cert === undefined ||
    !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  )
    throw new AuthorityUnusable(
      `${file} does not hold a key and its certificate. Delete it, then run sim ca again`,
    )
  if (Date.parse(new X509Certificate(cert).validTo) < Date.now())
    throw new AuthorityUnusable(`The certificate in ${file} has expired. Delete it, then run sim ca again`)
  return { key, cert }
}

async function writeCert(directory: string, cert: string): Promise<string> {
  const file = join(directory, CERT_FILE)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known?.trim() === cert.trim()) return file
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, `${cert}\n`, { mode: 0o644, flag: 'wx' })
  await chmod(draft, 0o644)
  await rename(draft, file)
  return file
}
