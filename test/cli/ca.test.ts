import { X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { trustHelp } from '../../src/cli/ca.ts'
import { temporaryDirectory } from '../temporary-folder.ts'
import { simHere } from './run-in-process.ts'

const directory = temporaryDirectory()
afterEach(() => vi.unstubAllEnvs())

describe('sim ca', () => {
  it('prints the path of the certificate, and makes it on first use', async () => {
    const ca = join(directory, 'ca')
    const first = await simHere('ca', '--ca-dir', ca)
    expect(first).toEqual({ code: 0, stdout: `${join(ca, 'ca.pem')}\n`, stderr: '' })
    const cert = await readFile(join(ca, 'ca.pem'), 'utf8')
    expect(new X509Certificate(cert).ca).toBe(true)

    vi.stubEnv('SIM_CA_DIR', ca)
    const again = await simHere('ca', '--help-trust')
    expect([again.stdout, again.stderr]).toEqual([first.stdout, trustHelp(join(ca, 'ca.pem'))])
    expect(await readFile(join(ca, 'ca.pem'), 'utf8')).toBe(cert)
  })

  it('says in one message what is wrong', async () => {
    const file = join(directory, 'file')
    await writeFile(file, '')
    const { code, stdout, stderr } = await simHere('ca', '--ca-dir', join(file, 'ca'))
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^The certificate authority in .*--ca-dir\n$/),
    ])
  })
})

describe('the help about trust', () => {
  it('names the file for each client, quoted where it must be', () => {
    expect(trustHelp('/a/ca.pem')).toContain('export NODE_EXTRA_CA_CERTS=/a/ca.pem\n')
    expect(trustHelp("/it's here/ca.pem")).toContain(String.raw`curl --cacert '/it'\''s here/ca.pem' ...`)
    for (const client of ['curl', 'Node', 'Python', 'Java', 'Chrome', 'Firefox'])
      expect(trustHelp('/a/ca.pem')).toContain(`\n${client} `)
  })
})
