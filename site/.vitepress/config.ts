import { readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { defineConfig } from 'vitepress'

const DOCS = join(import.meta.dirname, '../../docs')
/** Where files of the repository can be read, such as `https://git.example.com/sim/blob/main`; they are no links without it. */
const REPOSITORY = process.env['SIM_DOCS_REPOSITORY']

interface Entry {
  readonly text: string
  readonly items?: Entry[]
  readonly link?: string
}

// The list of guides says which there are, and in which order.
function sidebar(): Entry[] {
  const sections = readFileSync(join(DOCS, 'README.md'), 'utf8').split(/^## /m).slice(1)
  return sections.flatMap((section) => {
    const links = [...section.matchAll(/\[([^\]]+)\]\(([\w/-]+)\.md\)/g)]
    const items = links.map(([, text = '', path = '']) => ({ text, link: `/${path}` }))
    const unique = [...new Map(items.map((item) => [item.link, item])).values()]
    return unique.length === 0 ? [] : [{ text: section.slice(0, section.indexOf('\n')), items: unique }]
  })
}

interface LinkToken {
  readonly type: string
  tag: string
  attrs: [string, string][] | null
  readonly children: LinkToken[] | null
  attrSet(name: string, value: string): void
  attrGet(name: string): string | null
}

// A link to a file beside the guides is one to the repository, or none.
function leadOutside(tokens: readonly LinkToken[], page: string): void {
  for (const { children } of tokens) {
    let isPlain = false
    for (const token of children ?? []) {
      if (token.type === 'link_close' && isPlain) token.tag = 'span'
      if (token.type !== 'link_open') continue
      const href = token.attrGet('href') ?? ''
      const target = normalize(join(dirname(page), href))
      isPlain = !/^(\w+:|#|\/)/.test(href) && target.startsWith('..')
      if (!isPlain) continue
      if (REPOSITORY === undefined) Object.assign(token, { tag: 'span', attrs: [] })
      else token.attrSet('href', `${REPOSITORY}/${target.replace(/^\.\.\//, '')}`)
      isPlain = REPOSITORY === undefined
    }
  }
}

/** The site of the guides. */
export default defineConfig({
  title: 'sim',
  description: 'A record-and-simulate HTTP gateway',
  lang: 'en',
  srcDir: '../docs',
  outDir: './dist',
  rewrites: { 'start.md': 'index.md', 'README.md': 'guides.md' },
  cleanUrls: false,
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Guides', link: '/guides' },
      { text: 'Options', link: '/options' },
      { text: 'Command line', link: '/cli' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
  },
  markdown: {
    config(md) {
      md.core.ruler.push('outside', (state) => {
        const { path = '' } = state.env as { path?: string }
        leadOutside(state.tokens as unknown as LinkToken[], relative(DOCS, path))
      })
    },
  },
})
