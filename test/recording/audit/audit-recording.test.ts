import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auditRecording } from '../../../src/recording/audit/audit-recording.ts'
import { OVERLAP } from '../../../src/recording/audit/scan.ts'
import { runSim } from '../../flow/sim-process.ts'
import { collect, exchangeOf, REDACTOR, temporaryDirectory, writeLines, writeRecording } from '../samples.ts'

const GITHUB = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEow+/'.repeat(20)}\n-----END RSA PRIVATE KEY-----`
const TYPE = [['content-type', 'application/json']] as const

async function audit(directory: string): Promise<string[]> {
  const findings = await collect(auditRecording(directory, REDACTOR))
  return findings.map(({ file, line, pointer, kind }) => [file, line, pointer, kind].join(' '))
}

describe('sim recordings audit', () => {
  it('finds nothing in what was recorded', async () => {
    const directory = await writeRecording(await temporaryDirectory(), {
      url: `https://ann:hunter2@api.example.com/?token=${GITHUB}`,
      requestHeaders: [['authorization', `Bearer ${GITHUB}`], ...TYPE],
      requestBody: JSON.stringify({ password: 'hunter2', db: 'postgres://ann:hunter2@db.example.com/a' }),
      responseHeaders: [['set-cookie', 'sid=c0ffee; Path=/']],
      responseBody: `a text with ${KEY} in it`,
    })
    expect(await audit(directory)).toEqual([])
  })

  it('says where secrets are and of what kind, by its own rules and those of others', async () => {
    const directory = await temporaryDirectory()
    await writeLines(
      directory,
      exchangeOf({}),
      exchangeOf({
        url: 'https://api.example.com/?api_key=hunter2',
        requestHeaders: [['x-note', `see ${GITHUB}`]],
        responseHeaders: TYPE,
        responseBody: JSON.stringify({ a: { password: 'hunter2' }, notes: ['', { text: `x ${KEY}` }] }),
      }),
    )
    const found = await audit(directory)
    expect(found).toContain('exchanges.ndjson 2 /request/url sim/redacted')
    expect(found).toContain('exchanges.ndjson 2 /request/headers/0/value sim/redacted')
    expect(found).toContain('exchanges.ndjson 2 /request/headers/0/value github/GITHUB_TOKEN')
    expect(found).toContain('exchanges.ndjson 2 /response/content/text#/a/password sim/redacted')
    expect(found).toContain('exchanges.ndjson 2 /response/content/text#/notes/1/text privatekey/PrivateKey')
    expect(found.every((each) => each.includes(' 2 '))).toBe(true)
  })

  it('looks into messages, base64, torn lines, bodies in files and files of others', async () => {
    const directory = await temporaryDirectory()
    const data = Buffer.from(JSON.stringify({ note: GITHUB })).toString('base64')
    const exchange = { ...exchangeOf({}), _webSocketMessages: [{ type: 'send', time: 1, opcode: 2, data }] }
    const name = 'a'.repeat(64)
    const inFile = exchangeOf({ responseHeaders: TYPE, responseBody: '{}' })
    const { text: _text, ...content } = inFile.response.content
    const response = { ...inFile.response, content: { ...content, _file: `bodies/${name}`, _sha256: name } }
    await mkdir(join(directory, 'bodies'))
    await writeFile(
      join(directory, 'bodies', name),
      JSON.stringify({ fill: 'x'.repeat(70_000), deep: [GITHUB] }),
    )
    // At the end of what is read at once.
    await writeFile(
      join(directory, 'left.tmp'),
      `${' '.repeat(256 * 1024 - 9)}${GITHUB}${' '.repeat(OVERLAP)}`,
    )
    await writeLines(directory, exchange, { ...inFile, response })
    await writeFile(join(directory, 'exchanges.ndjson'), `{"request": "${GITHUB}`, { flag: 'a' })

    const kind = 'github/GITHUB_TOKEN'
    expect((await audit(directory)).filter((each) => each.endsWith(kind))).toEqual([
      `exchanges.ndjson 1 /_webSocketMessages/0/data#/note ${kind}`,
      `exchanges.ndjson 2 /response/content/text#/deep/0 ${kind}`,
      `exchanges.ndjson 3  ${kind}`,
      `left.tmp   ${kind}`,
    ])
  })

  it('looks into what is nested deep', async () => {
    const directory = await temporaryDirectory()
    const deep = `["\\n${GITHUB}",${'['.repeat(50_000)}${']'.repeat(50_000)}]`
    await writeLines(directory, exchangeOf({ responseHeaders: TYPE, responseBody: deep }))
    expect(await audit(directory)).toContainEqual(expect.stringMatching(/GITHUB_TOKEN$/))
  })

  it('ends with 1 and never prints the secret, and with 0 where there is none', async () => {
    const directory = await temporaryDirectory()
    await writeLines(directory, exchangeOf({ url: `https://api.example.com/${GITHUB}?token=hunter2` }))
    for (const flags of [[], ['--json']]) {
      const { code, stdout, stderr } = await runSim(['recordings', 'audit', directory, ...flags])
      expect(code).toBe(1)
      expect(stdout).toContain('/request/url')
      expect(stderr).toMatch(/holds \d secrets/)
      expect(stdout + stderr).not.toMatch(/hunter2|ghp_/)
    }
    const clean = await writeRecording(await temporaryDirectory(), {})
    const { code, stdout } = await runSim(['recordings', 'audit', clean])
    expect([code, stdout]).toEqual([0, '1 exchange, no secret found\n'])
  })
})
