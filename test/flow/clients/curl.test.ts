import { describe, expect, it } from 'vitest'
import { EXPECTED, openWorld, run, SIMULATED } from './setup.ts'

const world = openWorld()
const curl = (...args: readonly string[]): Promise<string> =>
  run('curl', ['--silent', '--show-error', '--fail-with-body', '--max-time', '20', ...args])

describe('curl', () => {
  it.for(['http', 'https'] as const)('reaches a server with %s by -x', async (scheme) => {
    const args = ['-x', world.proxy, '--cacert', world.caFile, '-d', 'hello']
    expect(await curl(...args, `${world[scheme]}/a?b`)).toBe(EXPECTED)
    expect(await curl(...args, '--http1.1', `${world[scheme]}/a?b`)).toBe(EXPECTED)
    expect(await curl(...args, '--proxytunnel', `${world[scheme]}/a?b`)).toBe(EXPECTED)
  })

  it.for(['http', 'https'] as const)('reaches a server with %s by base URL', async (scheme) => {
    expect(await curl('-d', 'hello', `${world.base[scheme]}/a?b`)).toBe(EXPECTED)
    expect(await curl('--http2', '-d', 'hello', `${world.base[scheme]}/a?b`)).toBe(EXPECTED)
  })

  it('agrees on HTTP/2 with the gateway', async () => {
    const args = ['-x', world.proxy, '--cacert', world.caFile, '-o', '/dev/null', '-w', '%{http_version}']
    expect(await curl(...args, `https://${SIMULATED}/simulated`)).toBe('2')
  })

  it('refuses the certificate where it does not trust the authority', async () => {
    await expect(curl('-x', world.proxy, `https://${SIMULATED}/simulated`)).rejects.toThrow(/ended with 60/)
  })

  it.for(['http', 'https'])('gets simulated answers for %s', async (scheme) => {
    const args = ['-x', world.proxy, '--cacert', world.caFile]
    expect(await curl(...args, `${scheme}://${SIMULATED}/simulated`)).toBe('{"simulated":true}')
  })

  it('takes its proxy from the environment', async () => {
    const env = { HTTPS_PROXY: world.proxy, http_proxy: world.proxy, CURL_CA_BUNDLE: world.caFile }
    expect(await run('curl', ['-sS', '-d', 'hello', `${world.https}/a?b`], env)).toBe(EXPECTED)
    expect(await run('curl', ['-sS', '-d', 'hello', `${world.http}/a?b`], env)).toBe(EXPECTED)
  })
})
