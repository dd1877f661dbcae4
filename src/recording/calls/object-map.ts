/**
 * The objects of one type by their ids, in order. What was done since `begin` can be undone, which costs nothing where
 * objects were only stored; only a removal has the order of all be remembered.
 */
export class ObjectMap<Value> extends Map<string, Value> {
  #stored: (readonly [id: string, before: Value | undefined])[] = []
  /** As it was before the first removal. */
  #before: ReadonlyMap<string, Value> | undefined
  #isUndoable = false

  begin(): void {
    this.#stored = []
    this.#before = undefined
    this.#isUndoable = true
  }

  undo(): void {
    this.#isUndoable = false
    if (this.#before !== undefined) {
      super.clear()
      for (const [id, value] of this.#before) super.set(id, value)
    }
    for (const [id, before] of this.#stored.toReversed())
      if (before === undefined) super.delete(id)
      else super.set(id, before)
  }

  override set(id: string, value: Value): this {
    if (this.#isUndoable && this.#before === undefined) this.#stored.push([id, this.get(id)])
    return super.set(id, value)
  }

  override delete(id: string): boolean {
    if (this.#isUndoable && this.has(id)) this.#before ??= new Map(this)
    return super.delete(id)
  }
}
