/** Whether a text fits. */
export type Glob = (text: string) => boolean

const MAX_ALTERNATIVES = 100

/**
 * Compiles a glob: `*` and `?` within a segment of a path, `**` as a segment for any number of segments, none
 * included, and `{a,b}` for alternatives. No path takes it long: the time grows with the path's length times the glob's.
 */
export function createGlob(pattern: string): Glob {
  const all = alternativesOf(pattern)
  const exact = new Set(all.filter((each) => !/[*?]/.test(each)))
  const open = all.filter((each) => !exact.has(each))
  // Of one such as `/**`, which most are, no path has to be taken apart.
  const folders = open.filter((each) => IS_FOLDER.test(each)).map((each) => each.slice(0, -'**'.length))
  const alternatives = open.filter((each) => !IS_FOLDER.test(each)).map((each) => each.split('/'))
  return (path) => {
    if (exact.has(path)) return true
    for (const folder of folders) if (path.startsWith(folder) || path === folder.slice(0, -1)) return true
    if (alternatives.length === 0) return false
    const segments = path.split('/')
    return alternatives.some((each) => fitsInOrder(each, segments, (wanted) => wanted === '**', fitsSegment))
  }
}

const IS_FOLDER = /^[^*?]*\/\*\*$/

/** Compiles a glob of any text, such as the value of a header: as those of paths, but `*` and `?` take slashes too. */
export function createTextGlob(pattern: string): Glob {
  const alternatives = alternativesOf(pattern)
  return (text) => alternatives.some((each) => fitsSegment(each, text))
}

function fitsSegment(wanted: string, segment: string): boolean {
  if (!/[*?]/.test(wanted)) return wanted === segment
  return fitsInOrder(
    Array.from(wanted),
    Array.from(segment),
    isStar,
    (one, other) => one === '?' || one === other,
  )
}

function isStar(letter: string): boolean {
  return letter === '*'
}

// A star takes as little as it can, and one more when what follows it fails: going back to the last star is enough.
function fitsInOrder(
  wanted: readonly string[],
  given: readonly string[],
  isAny: (wanted: string) => boolean,
  fits: (wanted: string, given: string) => boolean,
): boolean {
  let [at, of, star, from] = [0, 0, -1, 0]
  while (of < given.length) {
    const [one, other] = [wanted[at], given[of]]
    if (one !== undefined && isAny(one)) {
      star = at++
      from = of
    } else if (one !== undefined && other !== undefined && fits(one, other)) {
      at++
      of++
    } else if (star >= 0) {
      at = star + 1
      of = ++from
    } else return false
  }
  return wanted.slice(at).every(isAny)
}

function alternativesOf(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  for (let each = open.shift(); each !== undefined; each = open.shift()) {
    const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(each) ?? []
    if (whole === undefined || inner === undefined || open.length + done.length > MAX_ALTERNATIVES)
      done.push(each)
    else for (const one of inner.split(',')) open.push(each.replace(whole, () => one))
  }
  return done
}
