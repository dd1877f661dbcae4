import { X509Certificate } from 'node:crypto'
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { createIssuer } from '../../src/http/certificates.ts'
import { caDirectory } from '../../src/http/tls-interception.ts'
import { temporaryDirectory } from '../temporary-folder.ts'
import { homedir } from 'node:os'

const root = temporaryDirectory()
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('the local certificate authority', () => {
  it('is made once, with a key that only its user can read', async () => {
    const directory = join(root, 'new', 'ca')
    const first = await openAuthority(directory)
    expect(await openAuthority(directory)).toEqual(first)
    expect(first.certFile).toBe(join(directory, 'ca.pem'))
    expect(await readFile(first.certFile, 'utf8')).toBe(`${first.cert}\n`)
    expect(await readFile(first.certFile, 'utf8')).not.toContain('PRIVATE')
    expect([await modeOf(directory), await modeOf(join(directory, 'ca-key.pem'))]).toEqual(['700', '600'])
    expect((await readdir(directory)).toSorted()).toEqual(['ca-key.pem', 'ca.pem'])
    const { ca, subject } = new X509Certificate(first.cert)
    expect([ca, subject]).toEqual([true, expect.stringMatching(/^CN=sim local CA/)])
  })

  it('is the same for all who open it at once', async () => {
    const directory = join(root, 'at-once')
    const all = await Promise.all(Array.from({ length: 8 }, () => openAuthority(directory)))
    expect(new Set(all.map(({ cert }) => cert)).size).toBe(1)
    expect((await readdir(directory)).toSorted()).toEqual(['ca-key.pem', 'ca.pem'])
  })

  it('writes the certificate again where it is gone or another', async () => {
    const directory = join(root, 'again')
    const { cert, certFile } = await openAuthority(directory)
    await rm(certFile)
    await openAuthority(directory)
    expect(await readFile(certFile, 'utf8')).toBe(`${cert}\n`)
    await writeFile(certFile, 'something else')
    await openAuthority(directory)
    expect(await readFile(certFile, 'utf8')).toBe(`${cert}\n`)
  })

  it('is refused when others may read its key', async () => {
    const directory = join(root, 'open')
    await openAuthority(directory)
    await chmod(join(directory, 'ca-key.pem'), 0o640)
    await expect(openAuthority(directory)).rejects.toThrow(/^Others may read .*ca-key\.pem.* Run chmod 600/)
  })

  it('is refused when its file holds no pair', async () => {
    const directory = join(root, 'broken')
    const { cert } = await openAuthority(directory)
    const other = await openAuthority(join(root, 'other'))
    await writeFile(join(directory, 'ca-key.pem'), `${other.key}\n${cert}`)
    await expect(openAuthority(directory)).rejects.toThrow(/does not hold a key and its certificate/)
    await writeFile(join(directory, 'ca-key.pem'), '')
    await expect(openAuthority(directory)).rejects.toThrow(/does not hold a key and its certificate/)
  })

  it('is refused where its directory cannot be one', async () => {
    const file = join(root, 'a-file')
    await writeFile(file, '')
    await expect(openAuthority(join(file, 'ca'))).rejects.toThrow(
      /cannot be used: .* Choose another directory/,
    )
  })
})

describe('a certificate of the authority', () => {
  it.for([
    ['api.example.com', 'DNS:api.example.com'],
    ['10.1.2.3', 'IP Address:10.1.2.3'],
    ['2001:db8::7', 'IP Address:2001:DB8:0:0:0:0:0:7'],
    [`${'a'.repeat(60)}.${'b'.repeat(60)}.test`, `DNS:${'a'.repeat(60)}.${'b'.repeat(60)}.test`],
  ])('is for %s alone', async ([host = '', name]) => {
    const authority = await openAuthority(join(root, 'issuing'))
    const { cert } = await (await createIssuer(authority))(host)
    const read = new X509Certificate(cert)
    expect([read.subjectAltName, read.ca, read.keyUsage]).toEqual([name, false, ['1.3.6.1.5.5.7.3.1']])
    expect(read.verify(new X509Certificate(authority.cert).publicKey)).toBe(true)
    expect(Date.parse(read.validTo) - Date.parse(read.validFrom)).toBeLessThan(398 * 86_400_000)
  })

  it('has a serial number of its own', async () => {
    const issue = await createIssuer(await openAuthority(join(root, 'issuing')))
    const pairs = await Promise.all(['a.test', 'b.test', 'a.test'].map(issue))
    expect(new Set(pairs.map(({ cert }) => new X509Certificate(cert).serialNumber)).size).toBe(3)
  })
})

describe('a gateway whose certificate authority cannot be used', () => {
  it('says so at its start', async () => {
    const directory = join(root, 'unusable')
    await openAuthority(directory)
    const file = join(directory, 'ca-key.pem')
    await chmod(file, 0o644)
    const app = createGateway({ tls: { caDirectory: directory } })
    await expect(app.ready()).rejects.toThrow(`Others may read ${file}`)
    await app.close()

    await rm(file)
    const other = createGateway({ tls: { caDirectory: directory } })
    await expect(other.ready()).resolves.toBeDefined()
    await other.close()
  })
})

describe('the directory of the certificate authority', () => {
  it.for([
    [{ SIM_CA_DIR: '/x', XDG_STATE_HOME: '/y' }, 'linux', '/x'],
    [{ SIM_CA_DIR: '', XDG_STATE_HOME: '/y' }, 'linux', '/y/sim/ca'],
    [{}, 'linux', join(homedir(), '.local/state/sim/ca')],
    [{}, 'darwin', join(homedir(), 'Library/Application Support/sim/ca')],
    [{ LOCALAPPDATA: '/local' }, 'win32', '/local/sim/ca'],
  ] as const)('with %j on %s is %s', ([env, platform, path]) => {
    expect(caDirectory(env, platform)).toBe(path)
  })
})
