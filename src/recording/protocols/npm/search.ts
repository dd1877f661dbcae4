import { isObject } from '../../../engine/schema/schema.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { textOf } from '../protocol.ts'
import type { Fields, Learned, Package, Store } from './registry.ts'

const SIZE = 20

/** The packages whose names, descriptions or keywords have the words of a search, as a page of it. */
export function searched({ packages }: Store, query: Fields, { search }: Learned, { now }: Fresh): Fields {
  const words = (textOf(query['text']) ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const found = ([...packages.values()] as Package[]).filter((each) => {
    const { description, keywords } = latestOf(each)
    const text = [each.id, description, ...[keywords].flat()].join(' ').toLowerCase()
    return words.every((word) => text.includes(word.replace(/^keywords:/, '')))
  })
  const from = Number(query['from'] ?? 0)
  const page = found.slice(from, from + Number(query['size'] ?? SIZE))
  const objects = search === undefined ? [] : [search['objects']].flat()
  const example = isObject(objects[0]) ? objects[0] : {}
  const form = isObject(example['package']) ? Object.keys(example['package']) : FORM
  return {
    ...search,
    objects: page.map((each) => ({ ...example, package: shownAs(each, form, example['package']) })),
    total: found.length,
    time: new Date(now).toUTCString(),
  }
}

const FORM = ['name', 'version', 'description', 'keywords', 'date']

function latestOf({ tags, versions }: Package): Fields {
  const latest = tags['latest'] ?? Object.keys(versions).at(-1) ?? ''
  return Object.hasOwn(versions, latest) ? (versions[latest] ?? {}) : {}
}

function shownAs(found: Package, members: readonly string[], example: unknown): Fields {
  const latest = latestOf(found)
  const { modified } = found.time
  const own: Fields = {
    'dist-tags': found.tags,
    date: modified,
    time: { modified },
    versions: { [String(latest['version'])]: 'latest' },
  }
  const before = isObject(example) ? example : {}
  return Object.fromEntries(
    members.flatMap((name) => {
      const value = own[name] ?? latest[name] ?? (ITSELF.has(name) ? undefined : before[name])
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Members that say something of the package itself, which another has not. */
const ITSELF = new Set(['description', 'keywords', 'author', 'license', 'version', 'homepage', 'links'])
