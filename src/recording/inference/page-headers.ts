import { factNamed, type PageFacts } from '../../collections/paging/page-fields.ts'
import { remembered } from '../../engine/lazy.ts'
import { isPageLink } from './answer-headers.ts'
import { countEach } from '../../grouping.ts'
import { createMemo } from '../../memo.ts'
import type { Sample } from './sample.ts'

/** Templates of the headers that came more often than not, by what their names say of pages. */
export function pageHeaders(pages: readonly Sample[]): Record<string, string> {
  const counts = countEach(pages.flatMap(({ responseHeaders }) => Object.keys(responseHeaders)))
  const templates = [...counts].flatMap(([name, count]): [string, string][] => {
    if (name === 'link')
      return pages.some(({ responseHeaders: { link = '' } }) => isPageLink(link))
        ? [[name, linksOf(pages)]]
        : []
    if (name === 'content-range') return rangesOf(pages).map((range) => [name, range])
    const fact = /^x-|total/.test(name) ? named(name).fact : undefined
    if (fact === undefined || (fact !== 'next' && count * 2 <= pages.length)) return []
    return [[name, `{${fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}}`]]
  })
  return Object.fromEntries(templates)
}

// Which items of how many a page has, such as `items 0-4/12` and `0-4/*`; of none it is `*/0` or `0-0/0`.
const RANGE = /^(?:([\w-]+) )?(?:(\d+)-(\d+)|\*)\/(\d+|\*)$/

// One form in which all pages say it.
function rangesOf(pages: readonly Sample[]): readonly string[] {
  const said = pages.flatMap(({ responseHeaders: { 'content-range': text } }) =>
    text === undefined ? [] : [text],
  )
  const read = said.map((text) => RANGE.exec(text))
  const [[, unit] = []] = read.map((each) => each ?? [])
  if (read.some((each) => each === null || each[1] !== unit || unit === 'bytes')) return []
  const range = read.some((each) => each?.[2] === undefined) ? '{range *}' : '{range}'
  const total = read.some((each) => each?.[4] === '*') ? '*' : '{total}'
  return [`${unit === undefined ? '' : `${unit} `}${range}/${total}`]
}

// The relations in the order in which the answers have them; those of the page itself where they come on such pages.
function linksOf(pages: readonly Sample[]): string {
  const relations = pages.map(({ responseHeaders }) =>
    [...(responseHeaders['link'] ?? '').matchAll(/rel="?([\w-]+)/g)].map(([, name = '']) => name),
  )
  const linked = relations.filter((names) => names.length > 0)
  const before = (a: string, b: string): boolean =>
    linked.some((names) => names.includes(a) && names.indexOf(a) < names.indexOf(b))
  const order = [...new Set(linked.flat())]
    .filter((name) => ['first', 'prev', 'next', 'last'].includes(name))
    .toSorted((a, b) => Number(before(b, a)) - Number(before(a, b)))
  const isOwn = (name: string, neighbour: string): boolean =>
    linked.some((names) => names.includes(name) && !names.includes(neighbour))
  const named = order.map((name) => {
    if (name === 'first') return isOwn('first', 'prev') ? name : 'first?'
    if (name === 'last') return isOwn('last', 'next') ? name : 'last?'
    return name
  })
  const usual = named.length === 0 || named.join(' ') === 'prev next last? first?'
  const links = ['links', ...(usual ? [] : named)].join(' ')
  const otherwise = linkOfOthers(pages)
  return otherwise === undefined ? `{${links}}` : `{${links} or ${otherwise}}`
}

// What pages without neighbours have in place of links to them, such as one to the description of the API.
function linkOfOthers(pages: readonly Sample[]): string | undefined {
  const others = pages.flatMap(({ responseHeaders: { link = '' } }) => (isPageLink(link) ? [] : [link]))
  const [link = '', ...more] = new Set(others)
  return link === '' || more.length > 0 || /[{}]/.test(link) ? undefined : link
}

// Answers have the same few headers.
const named = remembered(
  // Vendors put a name of theirs before what they say of pages: `X-WP-Total`.
  (header: string) => {
    const name = header.replace(/^x-/, '')
    return { fact: factNamed(name) ?? factNamed(name.replace(/^[a-z]+-/, '')) }
  },
  createMemo<{ readonly fact: keyof PageFacts | undefined }>(),
)

/** What the headers of an answer say of the page. */
export function factInHeaders(
  { responseHeaders }: Sample,
  fact: keyof PageFacts,
): number | string | undefined {
  const headers = Object.entries(responseHeaders)
  const [, , first, , all] = RANGE.exec(responseHeaders['content-range'] ?? '') ?? []
  if (fact === 'total' && all !== undefined && all !== '*') return Number(all)
  if (fact === 'offset' && first !== undefined) return Number(first)
  const [, text] = headers.find(([name]) => name !== 'link' && named(name).fact === fact) ?? []
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : text
}
