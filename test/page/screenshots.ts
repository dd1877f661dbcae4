import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { openBrowser, openShop, openUpstream } from './kit.ts'

// `npm run screenshots`: renews the pictures of the page that the guide shows.
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../docs/images'))
const width = Number(process.env['SIM_PAGE_WIDTH'] ?? 1130)
mkdirSync(folder, { recursive: true })

const upstream = await openUpstream()
// What it shows of folders is the same everywhere.
const home = mkdtempSync(join(tmpdir(), 'sim-page-'))
process.chdir(home)
const record = 'recordings/shop'
const app = openShop(upstream.url, { record })
const url = await app.listen({ port: 0, host: '127.0.0.1' })
const browser = await openBrowser()

const send = async (method: string, path: string, body?: unknown, session = ''): Promise<void> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-request-id': 'demo',
      ...(session !== '' && { 'x-sim-session': session }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
}

async function traffic(): Promise<void> {
  for (const [name, email] of [
    ['Ada Lovelace', 'ada@example.com'],
    ['Grace Hopper', 'grace@example.com'],
    ['Barbara Liskov', 'barbara@example.com'],
  ])
    await send('POST', '/users', { name, email })
  await send('POST', '/users', { name: 'nobody' })
  for (let id = 1; id < 9; id++) await send('GET', `/products/${id}?currency=EUR`)
  await send('GET', '/search?q=lamp')
  await send('GET', '/users/2')
  await send('GET', '/users/99')
  for (const path of ['/form', '/broken', '/catalog/7', '/pixel.png']) await send('GET', path)
  await send('GET', '/users', undefined, 'mobile')
}

const views: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async traffic(page) {
    await page.getByRole('option').filter({ hasText: '/products/3' }).click()
    await page.getByRole('region', { name: 'response body as JSON' }).waitFor()
  },
  async routes(page) {
    await page.getByRole('button', { name: 'Open GET /products/{id}' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'answer as JSON' }).waitFor()
    await page.getByRole('button', { name: 'Override', exact: true }).click()
    await page.getByText('In force', { exact: true }).waitFor()
  },
  async chaos(page) {
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('In force', { exact: true }).waitFor()
    await traffic()
    await page.getByRole('region', { name: 'What was injected' }).getByRole('cell').first().waitFor()
    await page.getByRole('region', { name: 'The schedule ahead' }).getByRole('cell').first().waitFor()
  },
  async recordings(page) {
    await page.getByRole('button', { name: `Browse ${record}` }).click()
    await page.getByRole('button', { name: 'Show exchange 2', exact: true }).click()
    await page
      .getByRole('region', { name: /response body/ })
      .first()
      .waitFor()
  },
  async state(page) {
    await page.getByRole('button', { name: /^.users \d/ }).click()
    await page.getByRole('button', { name: 'Edit item 2', exact: true }).click()
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('stands still').waitFor()
  },
  async metrics(page) {
    for (let turn = 0; turn < 4; turn++) {
      await traffic()
      await page.waitForTimeout(1500)
    }
  },
}

for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width, height: width < 600 ? 800 : 700 }, colorScheme })
  page.on('pageerror', (error) => process.stderr.write(`${error.message}\n`))
  page.on('console', (message) => message.type() === 'error' && process.stderr.write(`${message.text()}\n`))
  for (const [view, open] of Object.entries(views)) {
    await fetch(`${url}/__sim/reset`, { method: 'POST' })
    await page.goto(`${url}/__sim/#/${view}`)
    await page.reload()
    await page.locator('main').waitFor()
    if (view === 'traffic') await page.getByText(/^\d+ requests$/).waitFor()
    const events = new AbortController()
    fetch(`${url}/events`, { signal: events.signal }).catch(() => undefined)
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`)
    socket.on('open', () => socket.send('hello'))
    await traffic()
    await open(page)
    await page.screenshot({ path: join(folder, `page-${view}-${colorScheme}.png`) })
    const { scrollWidth } = (await page.evaluate(
      '({ scrollWidth: document.documentElement.scrollWidth })',
    )) as { readonly scrollWidth: number }
    if (scrollWidth > width) process.stderr.write(`${view} is ${scrollWidth} px wide\n`)
    events.abort()
    socket.close()
    if (view === 'chaos') await fetch(`${url}/__sim/chaos`, { method: 'DELETE' })
  }
  await page.close()
}
await browser.close()
await app.close()
upstream.close()
rmSync(home, { recursive: true, force: true })
