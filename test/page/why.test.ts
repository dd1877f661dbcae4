import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runSim, startSim, type SimServer } from '../flow/sim-process.ts'
import { temporaryDirectory } from '../temporary-folder.ts'
import { hasBrowser, openBrowser } from './kit.ts'

describe.skipIf(!hasBrowser)('a request on the page', () => {
  const folder = temporaryDirectory()
  let server: SimServer
  let browser: Browser
  let page: Page
  let cake: string

  beforeAll(async () => {
    const bakery = join(import.meta.dirname, '../repro/bakery.yaml')
    ;[server, browser] = await Promise.all([
      startSim(['run', bakery, '--stateful', '--seed', '7']),
      openBrowser(),
    ])
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(25_000)
    const headers = { 'x-sim-session': 'mobile', 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Rye', shape: 'round', layers: 2 })
    const made = await fetch(`${server.url}/cakes`, { method: 'POST', headers, body })
    const { id } = (await made.json()) as { id: number }
    cake = await (await fetch(`${server.url}/cakes/${id}`, { headers })).text()
    await page.goto(`${server.url}/__sim/`)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true })

  it('says why it was answered so, and is saved as a folder that gives the same bytes elsewhere, by clicks', async () => {
    await page.getByLabel('Sessions').selectOption('*')
    await page.getByRole('option').filter({ hasText: 'GET' }).filter({ hasText: '/cakes/' }).first().click()
    await button('Why').click()
    await page.getByText('store, in mode simulate').waitFor()
    await page.getByText(/^the same bytes/).waitFor()
    const leaves = page.getByRole('group', { name: 'Where each value came from' })
    await leaves.getByRole('row', { name: /^\/name store stored in \/cakes, item \d+$/ }).waitFor()

    const download = page.waitForEvent('download')
    await button('Repro').click()
    const saved = await download
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(saved.suggestedFilename()).toBe('repro-2.json')
    await saved.saveAs(join(folder, saved.suggestedFilename()))
    const made = await runSim(['repro', 'repro-2.json'], folder)
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('repro-2: 5 files')])
    const ran = await runSim(['repro', 'repro-2'], folder)
    expect([ran.code, ran.stdout]).toEqual([0, cake])
    expect(ran.stderr).toContain('the same as then')
  })
})
