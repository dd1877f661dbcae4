import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { SimAPI } from '../../src/api.ts'
import { createGateway } from '../../src/gateway.ts'

const BROWSER = '/usr/bin/chromium'

// A page of another origin, and an app whose answers it reads or does not.
describe.skipIf(!existsSync(BROWSER))('a page in Chromium', () => {
  let browser: Browser
  let page: Page
  let app: FastifyInstance
  let url: string
  const pages = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>page</title>')
  })

  beforeAll(async () => {
    const User = Type.Object({ id: Type.String(), name: Type.String() }, { title: 'User' })
    const api = new SimAPI({ seed: 1 })
    api.get('/users/{id}', { output: User, headers: { 'x-own': 'seen' } })
    api.put('/users/{id}', { input: User, output: User, bearerTokens: ['t'] })
    app = createGateway(api.gatewayOptions())
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    await once(pages.listen(0, '127.0.0.1'), 'listening')
    browser = await chromium.launch({
      executablePath: BROWSER,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    page = await browser.newPage()
  })
  afterAll(async () => {
    await browser.close()
    await app.close()
    pages.close()
  })

  it('of another origin reads answers, their headers and errors, after a preflight, with credentials', async () => {
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`)
    const seen = await page.evaluate(async (to) => {
      const ask = async (path: string, init: RequestInit): Promise<unknown[]> => {
        try {
          const response = await fetch(`${to}${path}`, { credentials: 'include', ...init })
          return [response.status, response.headers.get('x-own') ?? response.headers.get('allow')]
        } catch {
          return ['refused']
        }
      }
      const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }
      return {
        read: await ask('/users/1', {}),
        written: await ask('/users/1', { method: 'PUT', headers, body: '{"id":"1","name":"a"}' }),
        unauthorized: await ask('/users/1', { method: 'PUT', headers: { 'x-a': 'b' }, body: '{}' }),
        notAllowed: await ask('/users/1', { method: 'DELETE' }),
        unknown: await ask('/nothing', { headers: { 'x-a': 'b' } }),
        control: await ask('/__sim/health', {}),
      }
    }, url)
    expect(seen).toEqual({
      read: [200, 'seen'],
      written: [200, null],
      unauthorized: [401, null],
      notAllowed: [405, 'GET, PUT, HEAD, OPTIONS'],
      unknown: [404, null],
      control: ['refused'],
    })
  })

  it('at /docs tries an operation by the keyboard alone, and sees status, headers and body', async () => {
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    await page.goto(`${url}/docs`)
    await page.locator('summary', { hasText: 'GET /users/{id}' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('ada')
    await page.keyboard.press('Enter')
    const outcome = page.locator('details.operation[open] div[role=status]')
    await outcome.locator('strong').filter({ hasText: /^200/ }).waitFor()
    const shown = await outcome.innerText()
    expect(shown).toMatch(/^200 OK in \d+ ms/)
    expect(shown).toContain('x-own: seen')
    expect(shown).toMatch(/"name": "\w/)
    expect(problems).toEqual([])
  })
})
