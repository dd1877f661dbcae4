import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { access, copyFile, mkdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { stateDirectory } from '../../recording/redaction/state-directory.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What such stores are protected with unless somebody says otherwise; what is in them is public. */
export const STORE_PASSWORD = 'changeit'

/**
 * A trust store for Java with the authority in it, besides what Java trusts; `undefined` where there is no JDK.
 * It is made once for each JDK and authority, which takes a second or two.
 */
export async function javaTrustStore(authority: string, env: Environment): Promise<string | undefined> {
  const home = await findJdk(env)
  if (home === undefined) return undefined
  const [trusted, keytool] = [await findStore(home), join(home, 'bin', executable('keytool'))]
  if (trusted === undefined) return undefined
  const { mtimeMs, size } = await stat(trusted)
  const key = [trusted, mtimeMs, size, await readFile(authority, 'utf8')].join('\n')
  const folder = join(stateDirectory(env), 'java-trust')
  const file = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.keystore`)
  if (await exists(file)) return file
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Several commands may begin at once, and none may see half of it.
  const draft = `${file}.${randomUUID()}`
  try {
    await copyFile(trusted, draft)
    await promisify(execFile)(keytool, [
      ...['-importcert', '-noprompt', '-trustcacerts', '-alias', 'sim-gateway', '-file', authority],
      ...['-keystore', draft, '-storepass', STORE_PASSWORD],
    ])
    await rename(draft, file)
    return file
  } catch {
    // A store with a password of its own, or none that may be read: Java then trusts what it trusts.
    await rm(draft, { force: true })
    return undefined
  }
}

async function findJdk(env: Environment): Promise<string | undefined> {
  const named = env['JAVA_HOME']
  const homes = named === undefined || named === '' ? [] : [named]
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const java = await realpath(join(folder, executable('java'))).catch(() => undefined)
    if (java !== undefined) homes.push(dirname(dirname(java)))
  }
  for (const home of homes) if (await exists(join(home, 'bin', executable('keytool')))) return home
  return undefined
}

async function findStore(home: string): Promise<string | undefined> {
  for (const above of [home, join(home, 'jre'), dirname(home)]) {
    const file = join(above, 'lib', 'security', 'cacerts')
    const real = await realpath(file).catch(() => undefined)
    if (real !== undefined) return real
  }
  return undefined
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
