import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openWorld, SIMULATED } from './setup.ts'

const BROWSER = '/usr/bin/chromium'
const world = openWorld()

describe.skipIf(!existsSync(BROWSER))('Chromium', () => {
  it('loads pages with HTTPS, WebSockets and events by proxy, trusting the authority alone', async () => {
    const key = new X509Certificate(world.ca).publicKey.export({ type: 'spki', format: 'der' })
    const trusted = createHash('sha256').update(key).digest('base64')
    const browser = await chromium.launch({
      executablePath: BROWSER,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
        `--proxy-server=${world.proxy}`,
        // Chromium asks no proxy for this machine's own hosts unless told.
        '--proxy-bypass-list=<-loopback>',
        `--ignore-certificate-errors-spki-list=${trusted}`,
      ],
    })
    try {
      const page = await browser.newPage()
      const response = await page.goto(`${world.https}/page`)
      expect([response?.status(), await page.title()]).toEqual([200, 'GET /page'])
      expect((await response?.securityDetails())?.issuer).toMatch(/^sim local CA/)

      const said = await page.evaluate(
        (url) => `new Promise((resolve) => {
          const socket = new WebSocket('${url}')
          socket.onopen = () => socket.send('hello')
          socket.onmessage = ({ data }) => resolve(data)
        })`,
        world.https.replace('https', 'wss'),
      )
      expect(await page.evaluate(said)).toBe('echo hello')
      const events = `new Promise((resolve) => {
        const seen = []
        new EventSource('/events').onmessage = ({ data }) => seen.push(data) === 2 && resolve(seen)
      })`
      expect(await page.evaluate(events)).toEqual(['one', 'two'])

      await page.goto(`https://${SIMULATED}/simulated`)
      expect(await page.evaluate('document.body.textContent')).toContain('{"simulated":true}')
      await page.goto(`${world.http}/plain`)
      expect(await page.title()).toBe('GET /plain')
    } finally {
      await browser.close()
    }
  })
})
