const MOST_TIMES = 10
const LEAST_MOST = 100_000
const MOST_LEVELS = 200

/**
 * What is wrong with how far a document's aliases expand: data that shares parts is small, and whoever goes through it
 * meets each part as often as it is named. `undefined` when nothing is.
 */
export function findExpansion(document: unknown): string | undefined {
  const sizes = new Map<object, Size | undefined>()
  const sizeOf = (value: unknown): Size => {
    if (value === null || typeof value !== 'object') return { values: 1, levels: 1 }
    if (sizes.has(value)) return sizes.get(value) ?? ENDLESS
    sizes.set(value, undefined)
    let [values, levels] = [1, 1]
    for (const part of Object.values(value)) {
      const size = sizeOf(part)
      values += size.values
      levels = Math.max(levels, size.levels + 1)
    }
    sizes.set(value, { values, levels })
    return { values, levels }
  }
  const { values, levels } = sizeOf(document)
  if (values === Infinity) return 'an alias is circular: it stands within what it names'
  if (levels > MOST_LEVELS) return 'its aliases nest too deep'
  const most = Math.max(LEAST_MOST, sizes.size * MOST_TIMES)
  return values > most ? `its aliases expand to more than ${most} values` : undefined
}

interface Size {
  readonly values: number
  readonly levels: number
}

const ENDLESS: Size = { values: Infinity, levels: 1 }
