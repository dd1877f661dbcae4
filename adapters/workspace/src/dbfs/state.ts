import { objectsOf, type VirtualClock } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import { type Content, Contents, fileStorageSchema } from '../files/contents.ts'
import { bytesOfEntry, checkEntries, type FileEntry, fileEntryProperties } from '../files/entry.ts'
import { pathOf, segmentsOf } from '../files/read.ts'
import { FileTree, type Placed, type TreeNode } from '../files/tree.ts'
import type { Part, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import { type DbfsInfo, Handles } from './handles.ts'

/** A file or directory as answered. */
export interface FileStatus {
  readonly path: string
  readonly is_dir: boolean
  readonly file_size: number
  readonly modification_time: number
}

interface SavedDbfs {
  readonly entries: readonly { readonly path: string; readonly modifiedAt: number; readonly data?: string }[]
  readonly handles: ReturnType<Handles['snapshot']>
}

type Node = TreeNode<DbfsInfo>

export class DbfsState implements Restorable {
  readonly #clock: VirtualClock
  readonly #contents: Contents
  readonly #handles: Handles
  #tree: FileTree<DbfsInfo>

  constructor(clock: VirtualClock, contents: Contents) {
    this.#clock = clock
    this.#contents = contents
    this.#handles = new Handles(clock)
    this.#tree = new FileTree<DbfsInfo>({ modifiedAt: clock.now() })
  }

  static fromFixture(fixture: WorkspaceFixture, { clock }: Tools): DbfsState {
    const state = new DbfsState(clock, Contents.fromFixture(fixture))
    for (const entry of (fixture['dbfs'] ?? []) as readonly FileEntry[]) {
      if (entry.directory === true) state.mkdirs(entry.path)
      else state.put(entry.path, bytesOfEntry(entry), true)
    }
    return state
  }

  status(path: string): FileStatus {
    const segments = segmentsOfDbfs(path)
    return statusOf({ segments, node: this.#existing(segments) })
  }

  list(path: string): readonly FileStatus[] {
    const segments = segmentsOfDbfs(path)
    this.#existing(segments)
    return this.#tree.list(segments).map(statusOf)
  }

  read(path: string, offset: number, length: number): Buffer {
    const segments = segmentsOfDbfs(path)
    const { content } = this.#existing(segments).info
    if (content === undefined) throw invalid(`Cannot read a directory: ${pathOf(segments)}`)
    return this.#contents.read(content, offset, length)
  }

  put(path: string, bytes: Buffer, overwrite: boolean): void {
    this.#write(segmentsOfDbfs(path), bytes, overwrite)
  }

  mkdirs(path: string): void {
    const segments = segmentsOfDbfs(path)
    const file = this.#tree.fileOnWay(segments)
    if (file !== undefined) throw alreadyThere(file)
    this.#ensureDirectory(segments)
  }

  /** Removes a file, or a directory; what is absent needs no removal. */
  remove(path: string, recursive: boolean): void {
    const segments = segmentsOfDbfs(path)
    if (segments.length === 0) throw invalid('The root directory cannot be deleted.')
    const node = this.#tree.find(segments)
    if (node === undefined) return
    if (!recursive && (node.children?.size ?? 0) > 0)
      throw workspaceError(
        'IO_ERROR',
        `The directory dbfs:${pathOf(segments)} is not empty; delete it recursively.`,
      )
    for (const { node } of this.#tree.walk(segments))
      if (node.info.content !== undefined) this.#contents.remove(node.info.content)
    this.#tree.remove(segments)
  }

  move(source: string, destination: string): void {
    const [from, to] = [segmentsOfDbfs(source), segmentsOfDbfs(destination)]
    this.#existing(from)
    const obstacle = this.#tree.find(to) === undefined ? this.#tree.fileOnWay(to) : to
    if (
      from.length === 0 ||
      (to.length > from.length && from.every((segment, index) => segment === to[index]))
    )
      throw invalid(`Cannot move ${pathOf(from)} into itself: ${pathOf(to)}`)
    if (obstacle !== undefined) throw alreadyThere(obstacle)
    this.#ensureDirectory(to.slice(0, -1))
    this.#tree.move(from, to)
  }

  /** Opens a stream that writes a file, which is there from now on, and empty. */
  open(path: string, overwrite: boolean): number {
    const segments = segmentsOfDbfs(path)
    return this.#handles.open(segments, this.#write(segments, Buffer.alloc(0), overwrite))
  }

  append(handle: number, bytes: Buffer): void {
    const { info } = this.#nodeOfHandle(handle)
    this.#contents.append(info.content as Content, bytes)
    info.modifiedAt = this.#clock.now()
    this.#handles.touch(handle)
  }

  close(handle: number): void {
    this.#nodeOfHandle(handle)
    this.#handles.close(handle)
  }

  snapshot(): SavedDbfs {
    const entries = this.#tree.walk().map(({ segments, node: { info } }) => ({
      path: pathOf(segments),
      modifiedAt: info.modifiedAt,
      ...(info.content && { data: this.#contents.read(info.content).toString('base64') }),
    }))
    return { entries, handles: this.#handles.snapshot() }
  }

  dispose(): void {
    this.#contents.dispose()
  }

  restore(snapshot: unknown): void {
    const { entries, handles } = snapshot as SavedDbfs
    for (const { node } of this.#tree.walk()) if (node.info.content) this.#contents.remove(node.info.content)
    this.#tree = new FileTree<DbfsInfo>({ modifiedAt: this.#clock.now() })
    for (const { path, modifiedAt, data } of entries) {
      const segments = segmentsOf(path)
      const node =
        data === undefined
          ? this.#ensureDirectory(segments)
          : this.#write(segments, Buffer.from(data, 'base64'), true)
      node.info.modifiedAt = modifiedAt
    }
    this.#handles.restore(handles, (segments) => this.#tree.find(segments))
  }

  #existing(segments: readonly string[]): Node {
    const node = this.#tree.find(segments)
    if (node !== undefined) return node
    throw workspaceError(
      'RESOURCE_DOES_NOT_EXIST',
      `No file or directory exists on path ${pathOf(segments)}.`,
    )
  }

  #nodeOfHandle(handle: number): Node {
    const open = this.#handles.get(handle)
    // A stream ends with its file: deleted, moved away, or replaced by another.
    if (open !== undefined && this.#tree.find(open.segments) === open.node) return open.node
    throw workspaceError('RESOURCE_DOES_NOT_EXIST', `No stream is open by handle ${handle}.`)
  }

  #write(segments: readonly string[], bytes: Buffer, overwrite: boolean): Node {
    const existing = this.#tree.find(segments)
    const obstacle = existing === undefined ? this.#tree.fileOnWay(segments) : segments
    const replaced = overwrite ? existing?.info.content : undefined
    if (obstacle !== undefined && replaced === undefined) throw alreadyThere(obstacle)
    const content = this.#contents.write(bytes, replaced)
    this.#ensureDirectory(segments.slice(0, -1))
    return this.#tree.putFile(segments, { content, modifiedAt: this.#clock.now() })
  }

  #ensureDirectory(segments: readonly string[]): Node {
    return this.#tree.ensureDirectory(segments, () => ({ modifiedAt: this.#clock.now() }))
  }
}

function segmentsOfDbfs(path: string): readonly string[] {
  return segmentsOf(path, 'dbfs:')
}

function alreadyThere(segments: readonly string[]): Error {
  return workspaceError(
    'RESOURCE_ALREADY_EXISTS',
    `A file or directory already exists at the input path dbfs:${pathOf(segments)}.`,
  )
}

function statusOf({ segments, node: { info } }: Placed<DbfsInfo>): FileStatus {
  return {
    path: pathOf(segments),
    is_dir: info.content === undefined,
    file_size: info.content?.size ?? 0,
    modification_time: info.modifiedAt,
  }
}

/** DBFS: the fixture's `dbfs` and `fileStorage`, and the state made from them. */
export const dbfsPart: Part<DbfsState> = {
  fixtureSchema: {
    dbfs: objectsOf(['path'], fileEntryProperties),
    fileStorage: fileStorageSchema,
  },
  check: (fixture, report) => checkEntries((fixture['dbfs'] ?? []) as readonly FileEntry[], 'dbfs', report),
  create: (fixture, tools) => DbfsState.fromFixture(fixture, tools),
}
