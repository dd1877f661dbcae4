import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../examples/shop.ts'

const CHROMIUM = '/usr/bin/chromium'
const isHere = existsSync(CHROMIUM)

describe.skipIf(!isHere)(
  `the page at /docs in ${CHROMIUM}${isHere ? '' : ' (skipped: not installed)'}`,
  () => {
    const app = api.asWebApp()
    let browser: Browser
    let url = ''

    beforeAll(async () => {
      url = await app.listen({ host: '127.0.0.1', port: 0 })
      const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
      browser = await chromium.launch({ executablePath: CHROMIUM, args })
    }, 60_000)

    afterAll(async () => {
      await browser?.close()
      await app.close()
    })

    it('shows every route without an error in the console', async () => {
      const page = await browser.newPage()
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(error.message))
      await page.goto(`${url}/docs`)
      const text = () => page.locator('body').innerText()
      for (const { path } of api.routes) await expect.poll(text).toContain(path)
      expect(errors).toEqual([])
    })
  },
)
