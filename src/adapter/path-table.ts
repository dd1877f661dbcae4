import { OptionInvalid } from '../errors.ts'

/** What a path table finds: anything with a method and path templates. */
export interface Pathed {
  readonly id: string
  readonly method: string
  /** Such as `/items/{item}`; a last `{rest*}` takes all segments that are left. */
  readonly path: string
  readonly aliases?: readonly string[]
}

/** What answers a path, by method, and the path's parameters. */
export interface PathMatch<Entry> {
  readonly entries: ReadonlyMap<string, Entry>
  readonly params: Readonly<Record<string, string>>
}

/** Finds entries by path, segment by segment: a fixed segment wins over a parameter. */
export interface PathTable<Entry> {
  /** @param path as it was sent: split before it is decoded, so that `%2F` stays within its segment */
  match(path: string, fits: (entries: ReadonlyMap<string, Entry>) => boolean): PathMatch<Entry> | undefined
}

interface Node<Entry> {
  readonly fixed: Map<string, Node<Entry>>
  parameter: Node<Entry> | undefined
  rest: Leaf<Entry> | undefined
  leaf: Leaf<Entry> | undefined
}

interface Leaf<Entry> {
  readonly names: readonly string[]
  readonly entries: Map<string, Entry>
}

/** @throws OptionInvalid when two entries answer the same, or a template cannot be */
export function createPathTable<Entry extends Pathed>(entries: readonly Entry[]): PathTable<Entry> {
  const root = createNode<Entry>()
  for (const entry of entries) {
    for (const path of [entry.path, ...(entry.aliases ?? [])]) insert(root, path, entry)
  }
  return {
    match(path, fits) {
      const segments = decodeSegments(path)
      return segments === undefined ? undefined : find(root, segments, 0, [], fits)
    },
  }
}

function createNode<Entry>(): Node<Entry> {
  return { fixed: new Map(), parameter: undefined, rest: undefined, leaf: undefined }
}

const PARAMETER = /^\{([A-Za-z_]\w*)(\*?)\}$/

function insert<Entry extends Pathed>(root: Node<Entry>, path: string, entry: Entry): void {
  if (!path.startsWith('/')) throw new OptionInvalid(`${entry.id}: the path '${path}' must start with '/'`)
  const names: string[] = []
  let node = root
  const segments = path.slice(1).split('/')
  for (const [index, segment] of segments.entries()) {
    const [, name, star] = PARAMETER.exec(segment) ?? []
    if (name === undefined && /[{}]/.test(segment))
      throw new OptionInvalid(
        `${entry.id}: '${segment}' in '${path}' is neither a fixed segment nor '{name}'`,
      )
    if (name === undefined) {
      node = descend(node, segment)
      continue
    }
    names.push(name)
    if (star === '*') {
      if (index < segments.length - 1)
        throw new OptionInvalid(`${entry.id}: '${segment}' must be the last segment of '${path}'`)
      node.rest ??= { names, entries: new Map() }
      return add(node.rest, names, path, entry)
    }
    node = node.parameter ??= createNode<Entry>()
  }
  node.leaf ??= { names, entries: new Map() }
  add(node.leaf, names, path, entry)
}

function descend<Entry>(node: Node<Entry>, segment: string): Node<Entry> {
  const known = node.fixed.get(segment)
  if (known !== undefined) return known
  const made = createNode<Entry>()
  node.fixed.set(segment, made)
  return made
}

function add<Entry extends Pathed>(
  leaf: Leaf<Entry>,
  names: readonly string[],
  path: string,
  entry: Entry,
): void {
  const other = leaf.entries.get(entry.method)
  if (other !== undefined)
    throw new OptionInvalid(`${entry.id} and ${other.id} both answer ${entry.method} ${path}`)
  if (leaf.names.join() !== names.join())
    throw new OptionInvalid(
      `${entry.id}: the parameters of '${path}' are called ${leaf.names.join(', ')} by another operation of this path`,
    )
  leaf.entries.set(entry.method, entry)
}

function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path.slice(1).split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

type Fits<Entry> = (entries: ReadonlyMap<string, Entry>) => boolean

// The first leaf that fits; where none does, the first leaf of the path, so that its methods can be told.
function find<Entry>(
  node: Node<Entry>,
  segments: readonly string[],
  at: number,
  values: readonly string[],
  fits: Fits<Entry>,
): PathMatch<Entry> | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.leaf && matchOf(node.leaf, values)
  const rest = (): PathMatch<Entry> | undefined =>
    node.rest && matchOf(node.rest, [...values, segments.slice(at).join('/')])
  const fixed = node.fixed.get(segment)
  const found = [
    () => fixed && find(fixed, segments, at + 1, values, fits),
    () =>
      node.parameter && segment !== ''
        ? find(node.parameter, segments, at + 1, [...values, segment], fits)
        : undefined,
    rest,
  ]
  let first: PathMatch<Entry> | undefined
  for (const attempt of found) {
    const match = attempt()
    if (match !== undefined && fits(match.entries)) return match
    first ??= match
  }
  return first
}

function matchOf<Entry>({ names, entries }: Leaf<Entry>, values: readonly string[]): PathMatch<Entry> {
  return { entries, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
}
