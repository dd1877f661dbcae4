import { type IdSource, objectsOf, type VirtualClock } from 'sim-gateway/adapter'
import { invalid, workspaceError } from '../errors.ts'
import { type Content, Contents } from '../files/contents.ts'
import { bytesOfEntry, checkEntries, type FileEntry, fileEntryProperties } from '../files/entry.ts'
import { pathOf, segmentsOf } from '../files/read.ts'
import { FileTree, type Placed } from '../files/tree.ts'
import type { ObjectRef, Part, Restorable, Tools, WorkspaceFixture } from '../part.ts'
import type { Ancestry } from '../permissions/state.ts'
import { type Imported, type Language, LANGUAGES } from './formats.ts'

/** The kinds of objects, each with the segment of the path that permissions know it by. */
export const PERMISSION_TYPES = {
  DIRECTORY: 'directories',
  NOTEBOOK: 'notebooks',
  FILE: 'files',
  REPO: 'repos',
  LIBRARY: 'files',
  DASHBOARD: 'files',
} as const

export type ObjectType = keyof typeof PERMISSION_TYPES

/** What is known of an object, beside its place. */
export interface ObjectInfo {
  readonly objectId: number
  readonly type: ObjectType
  readonly language?: Language
  readonly createdAt: number
  readonly modifiedAt: number
  /** Absent for what holds other objects. */
  readonly content?: Content
}

/** An object of a fixture's workspace. */
export interface FixtureObject extends FileEntry {
  /** Makes it a notebook. */
  readonly language?: Language
  readonly type?: 'REPO' | 'LIBRARY' | 'DASHBOARD'
}

export const workspaceFilesSchema = objectsOf(['path'], {
  ...fileEntryProperties,
  language: { enum: Object.keys(LANGUAGES), description: 'Makes it a notebook.' },
  type: { enum: ['REPO', 'LIBRARY', 'DASHBOARD'], description: 'Makes it something else than a file.' },
})

type SavedObject = Omit<ObjectInfo, 'content'> & { readonly path: string; readonly data?: string }

/** An object that was made or deleted. */
export type WorkspaceObject = Placed<ObjectInfo>

/** The notebooks, files and directories of the workspace. */
export class FilesState implements Ancestry, Restorable {
  readonly #ids: IdSource
  readonly #clock: VirtualClock
  readonly #contents: Contents
  readonly #segmentsById = new Map<string, readonly string[]>()
  #tree: FileTree<ObjectInfo>
  #count = 0

  constructor(ids: IdSource, clock: VirtualClock, contents: Contents) {
    this.#ids = ids
    this.#clock = clock
    this.#contents = contents
    this.#tree = new FileTree(this.#newInfo('DIRECTORY', []))
  }

  static fromFixture(fixture: WorkspaceFixture, { ids, clock }: Tools): FilesState {
    const state = new FilesState(ids, clock, Contents.fromFixture(fixture))
    for (const entry of (fixture['workspaceFiles'] ?? []) as readonly FixtureObject[]) {
      const { path, language, type = language === undefined ? 'FILE' : 'NOTEBOOK' } = entry
      if (entry.directory === true || type === 'REPO')
        state.mkdirs(path, entry.directory === true ? 'DIRECTORY' : type)
      else {
        state.mkdirs(pathOf(segmentsOf(path).slice(0, -1)))
        state.write({ path, ...(language && { language }), bytes: bytesOfEntry(entry) }, true, type)
      }
    }
    return state
  }

  /** The segment of a path that names the kind of an object, e.g. `notebooks`. */
  permissionTypeOf(id: string): string | undefined {
    const segments = this.#segmentsById.get(id)
    const node = segments && this.#tree.find(segments)
    return node && PERMISSION_TYPES[node.info.type]
  }

  ancestorsOf(id: string): readonly string[] {
    const segments = this.#segmentsById.get(id) ?? []
    return segments
      .slice(1)
      .map((_, index) => String(this.#tree.find(segments.slice(0, index + 1))?.info.objectId))
      .toReversed()
  }

  get(path: string): WorkspaceObject {
    const segments = segmentsOf(path)
    const node = this.#tree.find(segments)
    if (node !== undefined) return { segments, node }
    throw workspaceError('RESOURCE_DOES_NOT_EXIST', `Path (${pathOf(segments)}) doesn't exist.`)
  }

  list(path: string): readonly WorkspaceObject[] {
    return this.#tree.list(this.get(path).segments)
  }

  read({ node }: WorkspaceObject): Buffer {
    return node.info.content === undefined ? Buffer.alloc(0) : this.#contents.read(node.info.content)
  }

  /** The nearest directory above a path that is there. */
  nearestDirectory(path: string): WorkspaceObject {
    let segments = segmentsOf(path).slice(0, -1)
    while (this.#tree.find(segments)?.children === undefined) segments = segments.slice(0, -1)
    return { segments, node: this.#tree.find(segments) as WorkspaceObject['node'] }
  }

  /** Makes a directory and its parents; answers those that were made. */
  mkdirs(path: string, type: ObjectType = 'DIRECTORY'): readonly WorkspaceObject[] {
    const segments = segmentsOf(path)
    const file = this.#tree.fileOnWay(segments)
    if (file !== undefined) throw alreadyThere(file)
    const missing = segments
      .map((_, index) => segments.slice(0, index + 1))
      .filter((each) => this.#tree.find(each) === undefined)
    this.#tree.ensureDirectory(segments, (each) =>
      this.#newInfo(each.length === segments.length ? type : 'DIRECTORY', each),
    )
    return missing.map((each) => ({ segments: each, node: this.#tree.find(each) as WorkspaceObject['node'] }))
  }

  /** Writes a notebook or file into a directory that is there; answers it when it is new. */
  write(imported: Imported, overwrite: boolean, type?: ObjectType): WorkspaceObject | undefined {
    const { path, language, bytes } = imported
    const requested = type ?? (language === undefined ? 'FILE' : 'NOTEBOOK')
    const segments = segmentsOf(path)
    const existing = this.#tree.find(segments)
    if (existing === undefined) this.#requireParent(segments)
    else if (!overwrite || existing.children !== undefined) throw alreadyThere(segments)
    else if (existing.info.type !== requested) throw mismatch(segments, requested, existing.info.type)
    const content = this.#contents.write(bytes, existing?.info.content)
    const info = existing?.info ?? this.#newInfo(requested, segments)
    const written = { ...info, content, modifiedAt: this.#clock.now(), ...(language && { language }) }
    const node = this.#tree.putFile(segments, written)
    return existing === undefined ? { segments, node } : undefined
  }

  /** Deletes an object; answers all that went with it. */
  remove(path: string, recursive: boolean): readonly WorkspaceObject[] {
    const { segments, node } = this.get(path)
    if (segments.length === 0) throw invalid('The root directory cannot be deleted.')
    if (!recursive && (node.children?.size ?? 0) > 0)
      throw workspaceError('DIRECTORY_NOT_EMPTY', `Folder (${pathOf(segments)}) is not empty`)
    const removed = this.#tree.walk(segments)
    for (const { node } of removed) this.#drop(node.info)
    this.#tree.remove(segments)
    return removed
  }

  snapshot(): { readonly count: number; readonly objects: readonly SavedObject[] } {
    const objects = this.#tree.walk().map(({ segments, node }) => {
      const { content, ...info } = node.info
      const data = content && { data: this.#contents.read(content).toString('base64') }
      return { path: pathOf(segments), ...info, ...data }
    })
    return { count: this.#count, objects }
  }

  dispose(): void {
    this.#contents.dispose()
  }

  restore(snapshot: unknown): void {
    const { count, objects } = snapshot as ReturnType<FilesState['snapshot']>
    for (const { node } of this.#tree.walk()) this.#drop(node.info)
    for (const { path, data, ...info } of objects) {
      const segments = segmentsOf(path)
      this.#segmentsById.set(String(info.objectId), segments)
      if (segments.length === 0) this.#tree = new FileTree<ObjectInfo>(info)
      else if (data === undefined) this.#tree.ensureDirectory(segments, () => info)
      else
        this.#tree.putFile(segments, { ...info, content: this.#contents.write(Buffer.from(data, 'base64')) })
    }
    this.#count = count
  }

  #newInfo(type: ObjectType, segments: readonly string[]): ObjectInfo {
    const objectId = this.#ids.number('workspace-object', this.#count)
    this.#count += 1
    this.#segmentsById.set(String(objectId), segments)
    return { objectId, type, createdAt: this.#clock.now(), modifiedAt: this.#clock.now() }
  }

  #drop({ objectId, content }: ObjectInfo): void {
    this.#segmentsById.delete(String(objectId))
    if (content !== undefined) this.#contents.remove(content)
  }

  #requireParent(segments: readonly string[]): void {
    const parent = segments.slice(0, -1)
    const file = this.#tree.fileOnWay(parent)
    if (file !== undefined) throw alreadyThere(file)
    if (this.#tree.find(parent) !== undefined) return
    throw workspaceError('RESOURCE_DOES_NOT_EXIST', `The parent folder (${pathOf(parent)}) does not exist.`)
  }
}

/** An object as permissions name it. */
export function refOf({ node: { info } }: WorkspaceObject): ObjectRef {
  return { type: PERMISSION_TYPES[info.type], id: String(info.objectId) }
}

function alreadyThere(segments: readonly string[]): Error {
  return workspaceError('RESOURCE_ALREADY_EXISTS', `Path (${pathOf(segments)}) already exists.`)
}

function mismatch(segments: readonly string[], requested: string, actual: string): Error {
  return invalid(
    `Cannot overwrite the asset at ${pathOf(segments)} due to type mismatch (asked: ${requested}, actual: ${actual})`,
  )
}

/** The workspace's notebooks, files and directories: the fixture's `workspaceFiles`, and the state made from them. */
export const filesPart: Part<FilesState> = {
  fixtureSchema: { workspaceFiles: workspaceFilesSchema },
  check(fixture, report) {
    const objects = (fixture['workspaceFiles'] ?? []) as readonly FixtureObject[]
    checkEntries(objects, 'workspaceFiles', report)
  },
  create: (fixture, tools) => FilesState.fromFixture(fixture, tools),
}
