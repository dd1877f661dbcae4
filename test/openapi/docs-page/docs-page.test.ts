import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { docsPage } from '../../../src/openapi/docs-page/docs-page.ts'
import { scriptOf } from './page.ts'

const html = docsPage('/openapi.json')
const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? ''
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('docsPage', () => {
  it('holds all it needs and names no other place', () => {
    expect(html).not.toMatch(/(?:https?:)?\/\/[a-z]/i)
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url)).toEqual(['data:,'])
  })

  it('has one script, without errors of syntax, and one style, and allows no others', () => {
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(() => new Script(scriptOf(html))).not.toThrow()
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

describe("the page's style", () => {
  it('has a light and a dark scheme and fetches nothing', () => {
    expect(style).toContain('prefers-color-scheme: dark')
    expect(style).not.toMatch(/url\(|@import/)
  })

  it.for([
    ['light', 0],
    ['dark', 1],
  ] as const)('has readable contrast in the %s scheme', ([, index]) => {
    const colour = (name: string): string =>
      [...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]+)`, 'g'))][index]?.[1] ?? ''
    for (const ground of ['ground', 'panel']) {
      for (const text of ['text', 'soft', 'accent', 'good', 'bad']) {
        expect(contrast(colour(ground), colour(text)), `${text} on ${ground}`).toBeGreaterThan(4.5)
      }
    }
  })
})

// WCAG 2.2, relative luminance and contrast ratio.
function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/[0-9a-f]/g, '$&$&') : colour
  const channels = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
  const linear = channels.map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
  return [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => sum + weight * (linear[index] ?? 0), 0)
}
