import axe from 'axe-core'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../temporary-folder.ts'
import { hasBrowser, openBrowser, openShop, openUpstream, type ShopUpstream } from './kit.ts'

const VIEWS = ['traffic', 'routes', 'chaos', 'recordings', 'state', 'metrics']

describe.skipIf(!hasBrowser)('a view of the page', () => {
  const record = temporaryDirectory()
  let upstream: ShopUpstream
  let browser: Browser
  let app: FastifyInstance
  let page: Page
  let url: string
  const problems: string[] = []

  beforeAll(async () => {
    upstream = await openUpstream()
    app = openShop(upstream.url, { record })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(25_000)
    page.on('pageerror', (error) => problems.push(error.message))
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
    upstream.close()
    if (problems.length > 0) throw new Error(problems.join('\n'))
  })
  beforeEach(async () => {
    await fetch(`${url}/__sim/reset`, { method: 'POST' })
  })

  const open = async (view: string): Promise<void> => {
    await page.goto(`${url}/__sim/#/${view}`)
    await page.reload()
    await page.locator('nav a[aria-current=page]').waitFor()
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const addUser = (name: string) =>
    fetch(`${url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, email: 'a@example.com' }),
    })

  it('of routes tries one, and overrides its answer once, by clicks', async () => {
    await open('routes')
    await button('Open GET /products/{id}').click()
    await button('Send').click()
    const answer = page.getByRole('region', { name: 'answer as JSON' })
    await answer.getByText('title:').waitFor()
    await page.getByLabel('Status to answer').fill('418')
    await page.getByLabel('Body to answer').fill('{"short":true}')
    await button('Override').click()
    await page.getByText('answers 418, used 0 of 1 times').waitFor()
    await button('Send').click()
    await answer.getByText('short:').waitFor()
    await page.getByText('418', { exact: true }).waitFor()
    await button('Send').click()
    await answer.getByText('title:').waitFor()
  })

  it('of chaos changes what fails at run time by the keyboard, foretells it, and shows what was injected', async () => {
    await open('chaos')
    await page.getByRole('slider', { name: /^Fail/ }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByText('In force', { exact: true }).waitFor()
    expect((await fetch(`${url}/search`)).status).toBe(500)
    await page.getByLabel('The next 20 requests of').selectOption('GET /search')
    const ahead = page.getByRole('region', { name: 'The schedule ahead' })
    await ahead.getByText('fails with 500').first().waitFor()
    await page
      .getByRole('group', { name: /What was injected/ })
      .getByText('fails with 500')
      .waitFor()
    await button('Switch off page').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Switched off').waitFor()
    expect((await fetch(`${url}/search`)).status).toBe(200)
  })

  it('of state edits an item, goes back to a snapshot, moves the clock, and ends a session', async () => {
    await addUser('Ada')
    await fetch(`${url}/users`, { headers: { 'x-sim-session': 'mobile' } })
    await open('state')
    const download = page.waitForEvent('download')
    await button('Save a snapshot').click()
    const snapshot = join(record, 'snapshot.json')
    writeFileSync(snapshot, readFileSync(await (await download).path()))
    await button('/users 1').click()
    await button('Edit item 1').click()
    const text = await page.getByLabel('Item as JSON').inputValue()
    await page.getByLabel('Item as JSON').fill(text.replace(/"name": "[^"]*"/, '"name": "Edited"'))
    await button('Store').click()
    await page.getByText('Stored', { exact: true }).waitFor()
    expect(await (await fetch(`${url}/users/1`)).json()).toMatchObject({ name: 'Edited' })
    await page.getByLabel('Restore a snapshot').setInputFiles(snapshot)
    await page.getByText('Restored').waitFor()
    expect(await (await fetch(`${url}/users/1`)).json()).toEqual(JSON.parse(text))

    await button('Freeze').click()
    await page.getByText('stands still').waitFor()
    const clock = async () => (await (await fetch(`${url}/__sim/clock`)).json()) as { now: string }
    const before = Date.parse((await clock()).now)
    await page.getByLabel('Seconds').fill('90')
    await page.keyboard.press('Enter')
    await expect.poll(async () => Date.parse((await clock()).now) - before).toBe(90_000)
    await button('End session mobile').click()
    await page.getByText('Session mobile has ended').waitFor()
  })

  it('of recordings stops and goes on, browses, compares with itself, and replays', async () => {
    await (await fetch(`${url}/catalog/1`)).text()
    await open('recordings')
    await button('Stop').click()
    await page.getByText('stopped: a request stopped it').waitFor()
    await button('Resume').click()
    await page.getByRole('cell', { name: 'recording', exact: true }).waitFor()
    await button(`Browse ${record}`).click()
    await button('Show exchange 1').click()
    await page.getByRole('region', { name: 'response body as JSON' }).getByText('/catalog/1').waitFor()
    await page.getByLabel('Expected').selectOption(record)
    await page.getByLabel('Actual').selectOption(record)
    await button('Compare').click()
    await page.getByText('0 differences in 1 exchanges').waitFor()
    await button(`Replay ${record}`).click()
    await page.getByText('The gateway replays it').waitFor()
    expect((await fetch(`${url}/catalog/2`)).status).toBe(404)
    await button('End the replay').click()
    await page.getByText('Declared routes answer again').waitFor()
    expect((await fetch(`${url}/catalog/2`)).status).toBe(200)
  })

  it('of metrics counts what came since it was opened', async () => {
    await open('metrics')
    await page.getByRole('img').first().waitFor({ state: 'detached' })
    // Each is shown until the next reading.
    const shown = page
      .getByText(/^5xx: (0\.[1-9]|[1-9])/)
      .waitFor()
      .then(() => true)
    do await (await fetch(`${url}/broken`)).text()
    while (!(await Promise.race([shown, wait(300, false)])))
    await page.getByRole('cell', { name: upstream.url }).first().waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds, in %s, and fits 360 px',
    async (colorScheme) => {
      await addUser('Ada')
      await page.emulateMedia({ colorScheme })
      for (const view of VIEWS) {
        await page.setViewportSize({ width: 1280, height: 900 })
        await open(view)
        await openAll(view)
        await page.evaluate(axe.source)
        const found = (await page.evaluate('axe.run()')) as axe.AxeResults
        const shown = found.violations.map(({ id, nodes }) => `${view}: ${id} ${nodes[0]?.html}`)
        expect(shown).toEqual([])
        await page.setViewportSize({ width: 360, height: 800 })
        const isNarrow = await page.evaluate('document.documentElement.scrollWidth <= 360')
        expect([view, isNarrow]).toEqual([view, true])
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    },
  )

  // What is there only after a click is looked at as well.
  async function openAll(view: string): Promise<void> {
    if (view === 'traffic') {
      await page.getByRole('option').filter({ hasText: '/users' }).click()
      await page.getByRole('region', { name: 'response body as JSON' }).waitFor()
    } else if (view === 'routes') {
      await button('Open GET /products/{id}').click()
      await button('Send').click()
      await page.getByRole('region', { name: 'answer as JSON' }).waitFor()
    } else if (view === 'state') {
      await button('/users 1').click()
      await button('Edit item 1').click()
    } else if (view === 'recordings') await button(`Browse ${record}`).click()
    else await page.getByRole('table').first().waitFor()
  }
})
