import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser, openShop, openUpstream, type ShopUpstream } from './kit.ts'

describe.skipIf(!hasBrowser)('the page of a gateway that ends and is started anew', () => {
  let browser: Browser
  let page: Page
  let app: FastifyInstance
  let upstream: ShopUpstream
  let url: string
  const start = async (adminToken?: string): Promise<void> => {
    const port = url === undefined ? 0 : Number(new URL(url).port)
    app = openShop(upstream.url, adminToken === undefined ? {} : { control: { adminToken } })
    url = await app.listen({ port, host: '127.0.0.1' })
  }

  beforeAll(async () => {
    upstream = await openUpstream()
    ;[browser] = await Promise.all([openBrowser(), start()])
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(10_000)
    await page.goto(`${url}/__sim/`)
    await page.getByText(/^0 requests$/).waitFor()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
    upstream.close()
  })

  const get = async (path: string): Promise<void> => void (await (await fetch(`${url}${path}`)).text())
  const rows = () => page.locator('.row .url').allInnerTexts()

  it('keeps what it showed while there is none, and shows what comes to the new one', async () => {
    for (const id of [1, 2, 3]) await get(`/products/${id}`)
    await page.getByText(/^3 requests$/).waitFor()
    await page.locator('.row').first().click()
    const detail = page.getByRole('article')
    await detail.waitFor()
    await app.close()
    await page.getByText(/^3 requests, not connected$/).waitFor()
    await start()
    await page.getByText(/^3 requests$/).waitFor()
    await get('/search')
    await expect.poll(rows).toEqual(['/search'])
    await detail.waitFor({ state: 'detached' })
  })

  it('shows what ended while the stream alone was lost', async () => {
    const between = await openForwarder(Number(new URL(url).port))
    const own = await browser.newPage()
    await own.goto(`http://127.0.0.1:${between.port}/__sim/`)
    const row = (text: string) => own.locator('.row').filter({ hasText: text })
    const leaving = new AbortController()
    await fetch(`${url}/events`, { signal: leaving.signal })
    await row('/events').getByText('open').waitFor()
    await get('/products/5')
    await row('/products/5').waitFor()
    between.cut()
    leaving.abort()
    await get('/products/6')
    await row('/products/6').waitFor()
    await row('/events').getByText('200').waitFor()
    await own.close()
    between.close()
  })

  it('asks for the token of the new one in whichever view, and takes one that no header can hold for wrong', async () => {
    await page.getByRole('link', { name: 'State' }).click()
    await app.close()
    await start('correct-horse')
    const field = page.getByLabel('Admin token')
    await field.waitFor()
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.type('ключ')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.keyboard.type('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Clock' }).waitFor()
  })
})

interface Forwarder {
  readonly port: number
  /** Ends all connections; others can be made. */
  cut(): void
  close(): void
}

async function openForwarder(to: number): Promise<Forwarder> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = connect(to, '127.0.0.1')
    for (const each of [socket, onward])
      sockets.add(each.on('error', () => undefined).on('close', () => each.destroy()))
    socket.pipe(onward).pipe(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close() {
      cut()
      server.close()
    },
  }
}
