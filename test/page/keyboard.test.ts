import type { FastifyInstance } from 'fastify'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../temporary-folder.ts'
import { hasBrowser, openBrowser, openShop, openUpstream, type ShopUpstream } from './kit.ts'

describe.skipIf(!hasBrowser)('with the keyboard alone', () => {
  const record = temporaryDirectory()
  let upstream: ShopUpstream
  let browser: Browser
  let app: FastifyInstance
  let page: Page
  let url: string

  beforeAll(async () => {
    upstream = await openUpstream()
    app = openShop(upstream.url, { record })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    await Promise.all(['/users/1', '/catalog/1'].map(async (path) => (await fetch(`${url}${path}`)).text()))
    await fetch(`${url}/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Ada","email":"a@example.com"}',
    })
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(10_000)
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
    upstream.close()
  })

  const open = async (view: string, width = 1280): Promise<void> => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/__sim/#/${view}`)
    await page.reload()
    await page.locator('nav a[aria-current=page]').waitFor()
  }
  const press = (key: string): Promise<void> => page.keyboard.press(key)
  const isFocused = async (place: Locator): Promise<void> => {
    await expect.poll(() => place.evaluate((element) => element.matches(':focus'))).toBe(true)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  it.each([1280, 360])('a request is opened and left, where the page is %i wide', async (width) => {
    await open('traffic', width)
    const list = page.getByRole('listbox')
    await page.locator('.row').first().waitFor()
    await list.focus()
    await press('ArrowDown')
    await press('Enter')
    await isFocused(page.getByRole('article'))
    await press('Tab')
    await isFocused(button('Repro'))
    await press('Escape')
    await page.getByRole('article').waitFor({ state: 'detached' })
    await isFocused(list)
    await press('ArrowDown')
    await press('Enter')
    await isFocused(page.getByRole('article'))
  })

  it.each([
    ['routes', ['Open GET /users/{id}'], () => page.getByRole('group', { name: 'GET /users/{id}' })],
    ['state', ['/users 1', 'Edit item 1'], () => page.getByLabel('Item as JSON')],
    [
      'recordings',
      [`Browse ${record}`, 'Show exchange 1'],
      () => page.getByRole('group', { name: 'Exchange 1' }),
    ],
  ] as const)('what opens in %s has the focus, and gives it back', async (view, names, opened) => {
    await open(view)
    for (const name of names) {
      await button(name).focus()
      await press('Enter')
    }
    await isFocused(opened())
    await press('Escape')
    await isFocused(button(names.at(-1) ?? ''))
  })

  it('what removes itself leaves the focus where it was', async () => {
    await open('routes')
    await button('Override').focus()
    await press('Enter')
    await page.getByRole('button', { name: /^Remove override/ }).focus()
    await press('Enter')
    await isFocused(page.getByRole('region', { name: 'Overrides in force' }))
  })
})
