import { describe, expect, it } from 'vitest'
import { STYLE } from '../../../src/openapi/docs-page/style.ts'

describe("the page's style", () => {
  it('has a light and a dark scheme and fetches nothing', () => {
    expect(STYLE).toContain('prefers-color-scheme: dark')
    expect(STYLE).not.toMatch(/url\(|@import/)
  })

  it.for([
    ['light', 0],
    ['dark', 1],
  ] as const)('has readable contrast in the %s scheme', ([, index]) => {
    const colour = (name: string): string =>
      [...STYLE.matchAll(new RegExp(`--${name}: (#[0-9a-f]+)`, 'g'))][index]?.[1] ?? ''
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
