/** A value that is made when it is first needed, and kept. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** A function whose results are made once for each argument, and kept among those that are known. */
export function remembered<Key, Value extends {}>(
  make: (key: Key) => Value,
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown } = new Map<Key, Value>(),
): (key: Key) => Value {
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = make(key)
    known.set(key, value)
    return value
  }
}

/** Gives an object entries that are made when they are first read, and kept. */
export function withLazy<Base extends object, Late extends object>(
  base: Base,
  makers: { readonly [Name in keyof Late]: () => Late[Name] },
): Base & Late {
  Object.defineProperty(base, MAKERS, { value: makers })
  for (const name of Object.keys(makers)) Object.defineProperty(base, name, lateEntry(name))
  return base as Base & Late
}

const MAKERS = Symbol('makers')

// Shared by all objects with an entry of that name: descriptions have tens of thousands of operations.
const lateEntry = remembered((name: string): PropertyDescriptor => {
  function get(this: { readonly [MAKERS]: Readonly<Record<string, () => unknown>> }): unknown {
    const value = this[MAKERS][name]?.()
    Object.defineProperty(this, name, { value, enumerable: true, configurable: true })
    return value
  }
  return { get, enumerable: true, configurable: true }
})
