import type { FastifyInstance } from 'fastify'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { hasBrowser, openBrowser, openShop, openUpstream, type ShopUpstream } from './kit.ts'

describe.skipIf(!hasBrowser)('tabs of the page', () => {
  let upstream: ShopUpstream
  let browser: Browser
  let app: FastifyInstance
  let context: BrowserContext
  let url: string

  beforeAll(async () => {
    upstream = await openUpstream()
    app = openShop(upstream.url)
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
    upstream.close()
  })
  beforeEach(async () => {
    await fetch(`${url}/__sim/reset`, { method: 'POST' })
    context = await browser.newContext()
    context.setDefaultTimeout(10_000)
    onTestFinished(() => context.close())
  })

  const openTab = async (view: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${url}/__sim/#/${view}`)
    return page
  }
  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
  const users = [1, 2, 3].map((id) => ({ id, name: `user ${id}`, email: 'a@example.com' }))
  const namesOf = async (): Promise<readonly string[]> => {
    const { items } = (await (await fetch(`${url}/__sim/store/users`)).json()) as { items: typeof users }
    return items.map(({ name }) => name)
  }

  it('edit different items of one collection at once, and say where an item was changed by the other', async () => {
    await fetch(`${url}/__sim/store/users`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items: users }),
    })
    const [one, other] = [await openTab('state'), await openTab('state')]
    for (const page of [one, other]) {
      await page.bringToFront()
      await button(page, '/users 3').click()
    }
    const rename = async (page: Page, item: number, name: string): Promise<void> => {
      await page.bringToFront()
      await button(page, `Edit item ${item}`).click()
      await page.getByLabel('Item as JSON').fill(JSON.stringify({ ...users[item - 1], name }))
      await button(page, 'Store').click()
    }
    for (const page of [one, other]) await button(page, 'Edit item 1').waitFor()
    await rename(one, 1, 'by one')
    await one.getByText('Stored', { exact: true }).waitFor()
    await rename(other, 2, 'by other')
    await other.getByText('Stored', { exact: true }).waitFor()
    expect(await namesOf()).toEqual(['by one', 'by other', 'user 3'])

    await rename(one, 2, 'again by one')
    await one.getByText('changed or removed elsewhere').waitFor()
    expect(await namesOf()).toEqual(['by one', 'by other', 'user 3'])
    expect(await one.getByLabel('Item as JSON').inputValue()).toContain('again by one')
    await one.getByText('by other').waitFor()
  })

  it('share the connections of the browser, however many there are', async () => {
    const tabs: Page[] = []
    for (let count = 0; count < 8; count++) {
      const page = await openTab('traffic')
      await page.getByRole('status').waitFor()
      tabs.push(page)
    }
    const last = tabs.at(-1) as Page
    await fetch(`${url}/products/1`)
    await last.getByText('/products/1').waitFor()
    const [first] = tabs as [Page]
    await first.getByText('left to other tabs').waitFor()
    await first.getByRole('status').click()
    await first.getByText('/products/1').waitFor()
    expect(await first.getByText('left to other tabs').count()).toBe(0)
  })

  it('have one stop for Tab in each table, and arrows within', async () => {
    const page = await openTab('routes')
    const focused = (): Promise<string | null> => page.locator(':focus').first().getAttribute('aria-label')
    await button(page, 'Open GET /users').focus()
    await page.keyboard.press('ArrowDown')
    const second = await focused()
    expect(second).toMatch(/^Open /)
    expect(second).not.toBe('Open GET /users')
    await page.keyboard.press('End')
    const final = await focused()
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe(final)
    await page.keyboard.press('Shift+Tab')
    expect(String(await focused())).not.toMatch(/^Open /)
    await page.keyboard.press('Tab')
    expect(await focused()).toBe(final)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await button(page, 'Send').waitFor()
  })
})
