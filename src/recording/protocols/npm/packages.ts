import { isObject } from '../../../engine/schema/schema.ts'
import { freshLike, type Fresh } from '../../match/nearest-answer.ts'
import { textOf } from '../protocol.ts'
import { bareName, type Fields, type Learned, type Package, Refusal, type Store } from './registry.ts'

/** Members of versions in abbreviated packages, by npm's registry API. */
const ABBREVIATED = [
  ...['name', 'version', 'deprecated', 'dependencies', 'optionalDependencies', 'devDependencies'],
  ...[
    'bundleDependencies',
    'peerDependencies',
    'peerDependenciesMeta',
    'bin',
    'directories',
    'dist',
    'engines',
  ],
  ...['cpu', 'os', 'libc', 'funding', '_hasShrinkwrap'],
]

/** @throws Refusal where there is none of this name */
export function packageOf({ packages }: Store, name: string): Package {
  const found = packages.get(name)
  if (found === undefined) throw new Refusal('noPackage', { package: name })
  return found as Package
}

/** A package as those see it who install from it. */
export function document(found: Package, { ofPackage, ofVersion }: Learned): Fields {
  const { id, versions, tags, time, rev, more } = found
  const shown = Object.entries(versions).map(([version, own]) => [version, { ...ofVersion, ...own }])
  return {
    ...ofPackage,
    ...more,
    ...{ name: id, versions: Object.fromEntries(shown), time, 'dist-tags': tags, _rev: rev, _id: id },
  }
}

/** What of a package npm itself needs. */
export function abbreviatedDocument(found: Package, known: Learned): Fields {
  const { id, versions, tags, time } = found
  const { ofPackage, ofVersion } = known.abbreviated
  const names = new Set([...ABBREVIATED, ...ofVersion])
  const shown = Object.entries(versions).map(([version, own]) => {
    const { scripts } = own
    const isScripted =
      isObject(scripts) && ['preinstall', 'install', 'postinstall'].some((each) => each in scripts)
    const entries = Object.entries(own).filter(([name]) => names.has(name))
    const says = isScripted || ofVersion.includes('hasInstallScript')
    return [
      version,
      { ...Object.fromEntries(entries), ...(says && { hasInstallScript: isScripted }) },
    ] as const
  })
  const whole: Fields = { ...document(found, known), modified: time['modified'] }
  const more = ofPackage.flatMap((name) => (name in whole ? [[name, whole[name]] as const] : []))
  return {
    ...Object.fromEntries(more),
    ...{ name: id, modified: time['modified'], 'dist-tags': tags, versions: Object.fromEntries(shown) },
  }
}

/** A version by its number or a tag. @throws Refusal */
export function versionOf({ id, versions, tags }: Package, named: string, { ofVersion }: Learned): Fields {
  const number = Object.hasOwn(tags, named) ? (tags[named] ?? '') : named
  const found = Object.hasOwn(versions, number) ? versions[number] : undefined
  if (found === undefined) throw new Refusal('noVersion', { package: id, version: named })
  return { ...ofVersion, ...found }
}

/** The members of a package that are kept apart from what it has besides. */
const OWN = new Set(['name', 'versions', 'time', 'dist-tags', '_rev', '_id', 'modified'])

/** A package as a document has it that was sent or shown. */
export function packageIn(body: Fields, before?: Package): Package {
  const name = String(body['name'] ?? body['_id'])
  const more = Object.entries(body).filter(([each]) => !OWN.has(each))
  return {
    id: name,
    versions: fieldsOf(body['versions']) as Package['versions'],
    tags: fieldsOf(body['dist-tags']) as Package['tags'],
    time: (isObject(body['time']) ? body['time'] : (before?.time ?? {})) as Package['time'],
    rev: textOf(body['_rev']) ?? before?.rev ?? '',
    more: Object.fromEntries(more),
    files: before?.files ?? {},
  }
}

/** Adds what is published to a package, or makes it. @throws Refusal for a version that is there */
export function publish(store: Store, body: Fields, known: Learned, fresh: Fresh): Package {
  const sent = packageIn(body)
  const { id } = sent
  const before = store.packages.get(id) as Package | undefined
  for (const version of Object.keys(sent.versions))
    if (before !== undefined && Object.hasOwn(before.versions, version))
      throw new Refusal('versionExists', { package: id, version })
  const now = new Date(fresh.now).toISOString()
  const made = Object.fromEntries(Object.keys(sent.versions).map((version) => [version, now]))
  const versions = Object.fromEntries(
    Object.entries(sent.versions).map(([version, own]) => [version, withPlace(own, id, known)]),
  )
  const { access: _access, _attachments: _sent, readme, ...more } = sent.more
  const inner = Object.keys(known.ofPackage).filter((name) => Object.hasOwn(more, name))
  const kept = Object.fromEntries(inner.map((name) => [name, more[name]]))
  const files = Object.entries(fieldsOf(body['_attachments'])).map(([name, file]) => [
    bareName(name),
    isObject(file) ? String(file['data']) : '',
  ])
  const after: Package = {
    id,
    versions: { ...before?.versions, ...versions },
    tags: { ...before?.tags, ...sent.tags },
    time: { ...before?.time, modified: now, created: before?.time['created'] ?? now, ...made },
    rev: nextRevision(before?.rev, known, fresh),
    more: { ...before?.more, ...kept, ...(readme !== undefined && { readme }) },
    files: { ...before?.files, ...(Object.fromEntries(files) as Package['files']) },
  }
  store.packages.set(id, after)
  return after
}

/** Puts a whole document in place of a package, as those do who deprecate or take back versions. @throws Refusal */
export function replace(store: Store, name: string, body: Fields, known: Learned, fresh: Fresh): void {
  const before = packageOf(store, name)
  const sent = packageIn(body, before)
  const versions = body['versions'] === undefined ? before.versions : sent.versions
  const tags = body['dist-tags'] === undefined ? before.tags : sent.tags
  const now = new Date(fresh.now).toISOString()
  const times = Object.entries(before.time).filter(
    ([version]) => Object.hasOwn(versions, version) || !Object.hasOwn(before.versions, version),
  )
  store.packages.set(name, {
    ...before,
    versions,
    tags: Object.fromEntries(Object.entries(tags).filter(([, version]) => Object.hasOwn(versions, version))),
    time: { ...Object.fromEntries(times), modified: now },
    more: { ...before.more, ...(isObject(body['users']) && { users: body['users'] }) },
    rev: nextRevision(before.rev, known, fresh),
  })
}

/** Names a version by a tag, or takes the tag away. @throws Refusal */
export function tag(
  store: Store,
  name: string,
  [word, version]: readonly [word: string, version: string | undefined],
  known: Learned,
  fresh: Fresh,
): void {
  const before = packageOf(store, name)
  if (version !== undefined && !Object.hasOwn(before.versions, version))
    throw new Refusal('noVersion', { package: name, version })
  const { [word]: _removed, ...others } = before.tags
  const tags = version === undefined ? others : { ...before.tags, [word]: version }
  store.packages.set(name, { ...before, tags, rev: nextRevision(before.rev, known, fresh) })
}

// Archives are said to be where the server has them, whatever a client took for that.
function withPlace(version: Fields, name: string, { root }: Learned): Fields {
  const { dist } = version
  if (!isObject(dist) || typeof dist['tarball'] !== 'string') return version
  const [, origin = ''] = /^(https?:\/\/[^/]+)/.exec(dist['tarball']) ?? []
  const file = bareName(dist['tarball'])
  return { ...version, dist: { ...dist, tarball: `${origin}${root}/${name}/-/${file}` } }
}

function nextRevision(before: string | undefined, { revision }: Learned, fresh: Fresh): string {
  const [, count = '0'] = /^(\d+)-/.exec(before ?? '') ?? []
  return `${Number(count) + 1}-${freshLike(revision, fresh).replace(/^\d+-/, '')}`
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}
