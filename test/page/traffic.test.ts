import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { HOSTILE, hasBrowser, openBrowser, openShop, openUpstream, type ShopUpstream } from './kit.ts'

const REQUESTS = Number(process.env['SIM_PAGE_REQUESTS'] ?? 1000)
const LONG_TASK_MS = 100

describe.skipIf(!hasBrowser)('the traffic on the page', () => {
  let upstream: ShopUpstream
  let browser: Browser
  let app: FastifyInstance
  let page: Page
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
    await page?.close()
    await fetch(`${url}/__sim/reset`, { method: 'POST' })
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(25_000)
    await page.goto(`${url}/__sim/`)
    await page.getByText(/^0 requests$/).waitFor()
  })

  const get = async (path: string): Promise<void> => void (await (await fetch(`${url}${path}`)).arrayBuffer())
  const row = (path: string) => page.getByRole('option').filter({ hasText: path }).first()
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  it('is looked through by the keyboard: listed, opened, copied, filtered, paused, emptied', async () => {
    await get('/products/1?currency=EUR')
    await get('/users/99')
    await row('/users/99').waitFor()
    await page.getByRole('listbox').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const detail = page.getByRole('article')
    await detail.getByText('title:').waitFor()
    await button('Copy').first().focus()
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('The request as curl').inputValue()).toContain(
      `curl -X GET '${url}/products/1?currency=EUR'`,
    )
    for (const [form, text] of [
      ['fetch', 'await fetch("'],
      ['HAR', '"entries"'],
      ['route', 'api.route("GET", "/products/{id}"'],
      ['test', 'expect(response.status).toBe(200)'],
    ] as const) {
      await page.getByRole('combobox', { name: 'As', exact: true }).selectOption(form)
      expect(await page.getByLabel(`The request as ${form}`).inputValue()).toContain(text)
    }

    await page.getByLabel('Expression').fill("status ge 400 and contains(path,'users')")
    await page.getByText(/^1 requests$/).waitFor()
    // It is not among them, and is still looked at.
    await page.getByLabel('The request as test').waitFor()
    await page.getByLabel('Expression').fill('status near 400')
    await page
      .getByRole('alert')
      .getByText(/Not an expression/)
      .waitFor()
    await page.getByLabel('Expression').fill('')
    await page.getByText(/^2 requests$/).waitFor()
    await button('Pause').click()
    await get('/users')
    await page.getByText(/^2 requests, 1 waiting$/).waitFor()
    await button('Go on').click()
    await page.getByText(/^3 requests$/).waitFor()
    await button('Clear').click()
    await page.getByText(/^0 requests$/).waitFor()
  })

  it('shows an event stream and a WebSocket while they go on', async () => {
    const leaving = new AbortController()
    const stream = fetch(`${url}/events`, { signal: leaving.signal })
    await row('/events').getByText('open').waitFor()
    await row('/events').click()
    await page.getByLabel('Headers of the response').getByText('text/event-stream').waitFor()
    await button('Why').click()
    await page.getByText('It has not ended').waitFor()
    await button('Messages').click()
    const messages = page.getByRole('list', { name: 'Messages' })
    await messages.getByText('{"stock":12}').waitFor()
    upstream.say('{"stock":11}')
    await messages.getByText('{"stock":11}').waitFor()
    await stream
    leaving.abort()
    await page.getByText('It has ended').waitFor()
    await button('Why').click()
    await page.getByText('Answered by').waitFor()

    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`)
    socket.on('open', () => socket.send('hello'))
    await row('/socket').getByText('open').waitFor()
    await row('/socket').click()
    await button('Messages').click()
    await expect.poll(() => messages.getByRole('listitem').count()).toBe(2)
    expect(await messages.innerText()).toMatch(/sent.*\s+hello\s.*received.*\s+hello/s)
    socket.close()
    await row('/socket').getByText('101').waitFor()
  })

  it('shows what is hostile as text', async () => {
    const violations: string[] = []
    page.on(
      'console',
      (message) => message.text().includes('Content Security Policy') && violations.push(message.text()),
    )
    const shown = page.getByRole('region', { name: /^response body/ })
    const look = async (path: string): Promise<void> => {
      await get(path)
      await row(path).click()
      await shown.waitFor()
    }
    await look('/hostile')
    expect(await shown.innerText()).toBe(HOSTILE.replaceAll('\u001b', '␛').replace('\u0007', '␇'))
    await page.getByText("<script>document.title='hit'</script>").first().waitFor()
    await look('/hostile.json')
    expect(await shown.innerText()).toContain("<script>document.title='hit'</script>")
    await look(`/${encodeURIComponent(HOSTILE)}`)
    await look('/bytes')
    expect(await shown.innerText()).toMatch(/^000000\s+ff fe 41 c3 28/)
    await page.getByLabel('Show response body as').selectOption('Text')
    expect(await shown.innerText()).toMatch(/\ufffd\ufffdA\ufffd\(/)
    await look('/large.json')
    await shown.getByText('[50000]').waitFor()
    await page.getByLabel('Show response body as').selectOption('Text')
    await button('4985578 more characters')
      .or(page.getByRole('button', { name: /more characters/ }))
      .waitFor()
    await get('/pixel.png')
    await row('/pixel.png').click()
    const image = page.getByRole('img', { name: 'What the body shows' })
    await expect
      .poll(() => image.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(1)
    expect([await page.title(), violations]).toEqual(['Traffic – sim', []])
  })

  it('shows what is deep, wide or long in part, and goes on', async () => {
    for (const path of ['/deep.json', '/bushy.json', '/long-form']) {
      await get(path)
      await row(path).click()
      await page.getByLabel('Show response body as').waitFor()
      await button('Copy').click()
      await page.getByRole('combobox', { name: 'As', exact: true }).selectOption('test')
      await page.getByLabel('The request as test').waitFor()
      expect([path, (await page.locator('*').count()) < 3000]).toEqual([path, true])
    }
  })

  it(`takes ${REQUESTS} requests while it is scrolled, and is never busy for long`, async () => {
    await browser.startTracing(page, {
      categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
    })
    const done = new AbortController()
    const scroll = async (): Promise<void> => {
      const list = page.getByRole('listbox')
      await list.hover()
      for (let turn = 0; !done.signal.aborted; turn++) {
        await page.mouse.wheel(0, turn % 7 === 6 ? -2000 : 600)
        await page.waitForTimeout(30)
      }
    }
    const scrolling = scroll()
    const clients = Array.from({ length: 8 }, async (_, first) => {
      for (let i = first; i < REQUESTS; i += 8) await get(`/products/${i}`)
    })
    await Promise.all(clients)
    const status = page.getByRole('status').filter({ hasText: 'requests' })
    const counted = async (): Promise<number> => {
      const [, listed = '0', , skipped = '0'] =
        /(\d+) requests(, (\d+) came too fast)?/.exec(await status.innerText()) ?? []
      return Number(listed) + Number(skipped)
    }
    await expect.poll(counted).toBe(REQUESTS)
    done.abort()
    await scrolling
    const { cpuMs, ms } = longestTask(await browser.stopTracing())
    process.stderr.write(`The longest task with ${REQUESTS} requests: ${cpuMs} ms, ${ms} ms by the clock\n`)
    // By the clock it is as long as other processes make it.
    expect(cpuMs).toBeGreaterThan(0)
    expect(cpuMs).toBeLessThan(LONG_TASK_MS)
    expect(await page.getByRole('option').count()).toBeLessThan(80)
  })

  it('needs the token of a gateway that has one, in each tab', async () => {
    const guarded = openShop(upstream.url, { control: { adminToken: 'correct-horse' } })
    const own = await guarded.listen({ port: 0, host: '127.0.0.1' })
    await page.goto(`${own}/__sim/`)
    await page.getByLabel('Admin token').fill('wrong-horse')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Admin token').fill('correct-horse')
    await page.keyboard.press('Enter')
    await page.getByText(/^0 requests$/).waitFor()
    await page.reload()
    await page.getByText(/^0 requests$/).waitFor()
    const other = await browser.newPage()
    await other.goto(`${own}/__sim/`)
    await other.getByLabel('Admin token').waitFor()
    await other.close()
    await page.goto('about:blank')
    await guarded.close()
  })
})

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** The longest task of the page's main thread: its time on the processor, and by the clock. */
function longestTask(trace: Buffer): { readonly cpuMs: number; readonly ms: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) => name.endsWith('RunTask') && ph === 'X' && threads.has(`${pid} ${tid}`),
  )
  const longest = (times: readonly number[]): number => Math.round(Math.max(0, ...times) / 1000)
  return {
    cpuMs: longest(tasks.map(({ tdur = 0 }) => tdur)),
    ms: longest(tasks.map(({ dur = 0 }) => dur)),
  }
}
