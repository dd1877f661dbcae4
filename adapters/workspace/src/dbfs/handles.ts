import type { VirtualClock } from 'sim-gateway/adapter'
import type { Content } from '../files/contents.ts'
import type { TreeNode } from '../files/tree.ts'

/** What is known of a file or directory, beside its place. */
export interface DbfsInfo {
  /** Absent for a directory. */
  readonly content?: Content
  modifiedAt: number
}

/** A stream that writes a file. */
export interface OpenStream {
  readonly segments: readonly string[]
  readonly node: TreeNode<DbfsInfo>
  usedAt: number
}

interface SavedHandles {
  readonly last: number
  readonly open: readonly {
    readonly handle: number
    readonly segments: readonly string[]
    readonly usedAt: number
  }[]
}

const MAX_IDLE_MS = 10 * 60 * 1000

/** Streams by handle; one that is idle for ten minutes of the virtual clock is closed. */
export class Handles {
  readonly #clock: VirtualClock
  readonly #open = new Map<number, OpenStream>()
  #last = 0

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  open(segments: readonly string[], node: TreeNode<DbfsInfo>): number {
    for (const handle of [...this.#open.keys()]) this.get(handle)
    this.#last += 1
    this.#open.set(this.#last, { segments, node, usedAt: this.#clock.now() })
    return this.#last
  }

  get(handle: number): OpenStream | undefined {
    const stream = this.#open.get(handle)
    if (stream === undefined || this.#clock.now() - stream.usedAt <= MAX_IDLE_MS) return stream
    this.close(handle)
    return undefined
  }

  touch(handle: number): void {
    const stream = this.#open.get(handle)
    if (stream !== undefined) stream.usedAt = this.#clock.now()
  }

  close(handle: number): void {
    this.#open.delete(handle)
  }

  snapshot(): SavedHandles {
    const open = [...this.#open].map(([handle, { segments, usedAt }]) => ({ handle, segments, usedAt }))
    return { last: this.#last, open }
  }

  restore(
    { last, open }: SavedHandles,
    find: (segments: readonly string[]) => TreeNode<DbfsInfo> | undefined,
  ): void {
    this.#last = last
    this.#open.clear()
    for (const { handle, segments, usedAt } of open) {
      const node = find(segments)
      if (node !== undefined) this.#open.set(handle, { segments, node, usedAt })
    }
  }
}
