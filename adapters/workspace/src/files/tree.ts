/** A file or directory; a directory has children. */
export interface TreeNode<Info> {
  readonly children: Map<string, TreeNode<Info>> | undefined
  info: Info
}

export interface Placed<Info> {
  readonly segments: readonly string[]
  readonly node: TreeNode<Info>
}

/** Files in directories. Before they write, callers have made sure that nothing is in the way. */
export class FileTree<Info> {
  readonly root: TreeNode<Info>

  constructor(rootInfo: Info) {
    this.root = { children: new Map(), info: rootInfo }
  }

  find(segments: readonly string[]): TreeNode<Info> | undefined {
    let node: TreeNode<Info> | undefined = this.root
    for (const segment of segments) node = node?.children?.get(segment)
    return node
  }

  /** The first file on the way along a path, its end included. */
  fileOnWay(segments: readonly string[]): readonly string[] | undefined {
    let node: TreeNode<Info> | undefined = this.root
    for (const [index, segment] of segments.entries()) {
      node = node.children?.get(segment)
      if (node === undefined) return undefined
      if (node.children === undefined) return segments.slice(0, index + 1)
    }
    return undefined
  }

  /** The directory of a path, made with all its parents where they are missing. */
  ensureDirectory(
    segments: readonly string[],
    infoOf: (segments: readonly string[]) => Info,
  ): TreeNode<Info> {
    let node = this.root
    for (const [index, segment] of segments.entries()) {
      const next = node.children?.get(segment)
      node = next ?? attach(node, segment, newDirectory(infoOf(segments.slice(0, index + 1))))
    }
    return node
  }

  /** Puts a file into a directory that exists. */
  putFile(segments: readonly string[], info: Info): TreeNode<Info> {
    const parent = this.find(segments.slice(0, -1)) as TreeNode<Info>
    return attach(parent, segments.at(-1) as string, { children: undefined, info })
  }

  remove(segments: readonly string[]): void {
    this.find(segments.slice(0, -1))?.children?.delete(segments.at(-1) as string)
  }

  /** Moves a node into a directory that exists. */
  move(from: readonly string[], to: readonly string[]): void {
    const node = this.find(from) as TreeNode<Info>
    this.remove(from)
    attach(this.find(to.slice(0, -1)) as TreeNode<Info>, to.at(-1) as string, node)
  }

  /** A directory's children by name, or the file itself. */
  list(segments: readonly string[]): readonly Placed<Info>[] {
    const node = this.find(segments)
    if (node === undefined) return []
    return node.children === undefined ? [{ segments, node }] : childrenOf({ segments, node })
  }

  /** A node and all below it, parents first; nothing where there is none. */
  walk(segments: readonly string[] = []): readonly Placed<Info>[] {
    const node = this.find(segments)
    const found: Placed<Info>[] = node === undefined ? [] : [{ segments, node }]
    // Grows while it is walked.
    for (const placed of found) for (const child of childrenOf(placed)) found.push(child)
    return found
  }
}

function newDirectory<Info>(info: Info): TreeNode<Info> {
  return { children: new Map(), info }
}

function attach<Info>(parent: TreeNode<Info>, name: string, node: TreeNode<Info>): TreeNode<Info> {
  parent.children?.set(name, node)
  return node
}

function childrenOf<Info>({ segments, node }: Placed<Info>): readonly Placed<Info>[] {
  return [...(node.children ?? [])]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => ({ segments: [...segments, name], node: child }))
}
