/** The deepest that values of a file may lie within each other. */
export const MAX_LEVELS = 200
/** The most values of a file, those that an alias repeats counted each time. */
export const MAX_VALUES = 10_000_000
export const TOO_DEEP = `it is nested too deep: more than ${MAX_LEVELS} deep`

const MEBIBYTE = 2 ** 20
const MAX_CHARACTERS = { JSON: 128 * MEBIBYTE, YAML: 16 * MEBIBYTE }

/** What is wrong with the length of a text; `undefined` when nothing is. */
export function findExcessLength(text: string, format: keyof typeof MAX_CHARACTERS): string | undefined {
  const most = MAX_CHARACTERS[format]
  if (text.length <= most) return undefined
  const hint = format === 'JSON' ? '' : '. As JSON, it may be larger'
  return `it has ${text.length} characters; the most is ${most}${hint}`
}

/** How deep the values of a tree lie, and how many keys its objects have; stops where it is too much. */
export function measureTree(tree: unknown): { readonly keys: number; readonly excess: string | undefined } {
  const waiting: object[] = isHolder(tree) ? [tree] : []
  const levels: number[] = [1]
  let [keys, values] = [0, 1]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const level = (levels.pop() ?? 0) + 1
    const before = values
    for (const key in next) {
      values++
      const part = (next as Readonly<Record<string, unknown>>)[key]
      if (!isHolder(part)) continue
      if (level > MAX_LEVELS) return { keys, excess: TOO_DEEP }
      waiting.push(part)
      levels.push(level)
    }
    if (!Array.isArray(next)) keys += values - before
    if (values > MAX_VALUES) return { keys, excess: `it has more than ${MAX_VALUES} values` }
  }
  return { keys, excess: undefined }
}

/** The value of a JSON text; `undefined` where it is none, or nests deeper than a file may. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isDeep(value) ? undefined : value
  } catch {
    return undefined
  }
}

/** Whether values of a tree lie deeper than those of a file may: whoever goes through it calls itself as often. */
export function isDeep(value: unknown, level = 0): boolean {
  if (!isHolder(value)) return false
  return level === MAX_LEVELS || Object.values(value).some((each) => isDeep(each, level + 1))
}

function isHolder(value: unknown): value is object {
  return value !== null && typeof value === 'object'
}

const MAX_TIMES = 10
const MIN_EXPANDED = 100_000

/**
 * What is wrong with how far a document's aliases expand: data that shares parts is small, and whoever goes through it
 * meets each part as often as it is named. `undefined` when nothing is.
 */
export function findExpansion(document: unknown, maxValues?: number): string | undefined {
  const sizes = new Map<object, Size | undefined>()
  let written = 1
  const sizeOf = (value: unknown): Size => {
    if (!isHolder(value)) return { values: 1, levels: 1 }
    if (sizes.has(value)) return sizes.get(value) ?? ENDLESS
    sizes.set(value, undefined)
    let [values, levels] = [1, 1]
    for (const part of Object.values(value)) {
      written++
      const size = sizeOf(part)
      values += size.values
      levels = Math.max(levels, size.levels + 1)
    }
    sizes.set(value, { values, levels })
    return { values, levels }
  }
  const { values, levels } = sizeOf(document)
  if (values === Infinity) return 'an alias is circular: the alias stands within what it names'
  if (levels > MAX_LEVELS + 1) return 'its aliases nest too deep'
  const most = Math.max(maxValues ?? Math.max(MIN_EXPANDED, sizes.size * MAX_TIMES), written)
  return values > most ? `its aliases expand to more than ${most} values` : undefined
}

interface Size {
  readonly values: number
  readonly levels: number
}

const ENDLESS: Size = { values: Infinity, levels: 1 }
