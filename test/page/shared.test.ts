import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { temporaryDirectory } from '../temporary-folder.ts'
import { hasBrowser, openBrowser } from './kit.ts'

const redis = sharedRedis()

describe.skipIf(!hasBrowser || !hasRedis)('the page of two gateways', () => {
  const folder = temporaryDirectory()
  let servers: readonly SimServer[]
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const bakery = join(import.meta.dirname, '../repro/bakery.yaml')
    const { unixUrl } = await redis.server()
    const start = async (name: string): Promise<SimServer> =>
      startSim(['run', bakery, '--seed', '7', '--state', unixUrl, '--state-gateway', name], folder)
    ;[servers, browser] = await Promise.all([Promise.all(['a', 'b'].map(start)), openBrowser()])
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(25_000)
    // As a balancer does it.
    let turn = 0
    await page.route('**/__sim/metrics', async (route) => {
      const url = `${servers[turn++ % 2]?.url}/__sim/metrics`
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    await page.goto(`${servers[0]?.url}/__sim/`)
  })
  afterAll(async () => {
    await browser.close()
    for (const server of servers) await server.stop()
  })

  const openView = (name: string): Promise<void> => page.getByRole('link', { name, exact: true }).click()
  const of = (name: string): Locator => page.getByText(`Of gateway ${name} alone`)

  it('says whose recordings are listed', async () => {
    await openView('Recordings')
    await of('a').waitFor()
  })

  it('shows the metrics of one gateway, whoever answers, and those of the other when it is chosen', async () => {
    await fetch(`${servers[1]?.url}/cakes/7`)
    await openView('Metrics')
    await of('a').waitFor()
    await page.getByLabel('Gateway').selectOption('b')
    await of('b').waitFor()
    await page.getByRole('row', { name: /GET \/cakes\/\{cakeId\} simulate 200 1/ }).waitFor()
    await page.getByLabel('Gateway').selectOption('a')
    await of('a').waitFor()
    expect(await page.getByRole('row', { name: /cakes/ }).count()).toBe(0)
  })
})
