import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withFolders } from '../../config/architecture.ts'
import { REFERENCE_PAGES, withReference } from '../../config/reference.ts'
import { GUIDES, read, ROOT } from './tables.ts'

describe('the pages', () => {
  it('name files and folders of the repository that are there', () => {
    const named = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...GUIDES].flatMap((page) => {
      // Code of a block may be about files that the reader makes; a picture is about ours.
      const prose = read(page).replace(/(?<!<!-- picture -->\n)^```(?!mermaid)\w+\n[^]*?^```/gm, '')
      return [
        ...prose.matchAll(/(?<![\w./-])(?:src|plugins|test|bench|config|adapters|examples)\/[\w./-]*[\w/]/g),
      ].map(([path]) => ({ page, path }))
    })
    expect(named.length).toBeGreaterThan(30)
    expect(
      named.filter(({ path }) => !existsSync(join(ROOT, path)) && !path.startsWith('bench/results.')),
    ).toEqual([])
  })

  it('have a picture of the folders as they are: npm run generate', () => {
    const page = read('docs/architecture.md')
    expect(withFolders(page)).toBe(page)
    expect(withFolders(page.replace('src/engine', 'src/motor'))).toBe(page)
  })

  it.for(REFERENCE_PAGES)('have the tables that the sources make: npm run generate (%s)', async (name) => {
    const page = read(`docs/${name}`)
    expect(await withReference(page)).toBe(page)
    const changed = page.replaceAll(/^\| `.*\n/gm, '')
    expect(changed).not.toBe(page)
    expect(await withReference(changed)).not.toBe(changed)
  })

  it('have pictures of each view of the page, in light and dark, and show no other: npm run screenshots', () => {
    const views = [...read('docs/page.md').matchAll(/^## (\w+)/gm)].map(([, name = '']) => name.toLowerCase())
    const kept = readdirSync(join(ROOT, 'docs/images')).toSorted()
    expect(kept).toEqual(
      views.flatMap((view) => [`page-${view}-dark.png`, `page-${view}-light.png`]).toSorted(),
    )
    const shown = GUIDES.flatMap((page) => [...read(page).matchAll(/!\[[^\]]*\]\(images\/([^)]+)\)/g)])
    expect(shown.map(([, file = '']) => file).filter((file) => !kept.includes(file))).toEqual([])
    expect(shown.length).toBeGreaterThanOrEqual(views.length)
  })

  it('begin with one that is read in minutes', () => {
    expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(900)
  })
})
