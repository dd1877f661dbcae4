import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { docsPage } from '../../../src/openapi/docs-page/docs-page.ts'
import { scriptOf } from './page.ts'

const html = docsPage('/openapi.json')
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('docsPage', () => {
  it('holds all it needs and names no other place', () => {
    expect(html).not.toMatch(/(?:https?:)?\/\/[a-z]/i)
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['data:,'])
  })

  it('has one script, without errors of syntax, and one style, and allows no others', () => {
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(() => new Script(scriptOf(html))).not.toThrow()
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? ''
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`script-src ${digest(scriptOf(html))};`)
    expect(policy).toContain(`style-src ${digest(style)};`)
    expect(html).not.toMatch(/ (style|on[a-z]+)="/)
  })

  it('says its language and has headings and landmarks', () => {
    for (const part of ['<html lang="en">', '<h1', '<header>', '<main', '<noscript>'])
      expect(html).toContain(part)
  })

  it('escapes the address of the document', () => {
    const page = docsPage(`/a"><script>'&`)
    expect(page).toContain('data-document="/a&#34;&#62;&#60;script&#62;&#39;&#38;"')
    expect(page.match(/<script/g)).toHaveLength(1)
  })
})
