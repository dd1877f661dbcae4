/** A place that is looked for, or one above such a place. */
interface Wanted {
  /** 0 until it is found. */
  line: number
  readonly below: Map<string, Wanted>
}

/** An object or list that a scan is in. */
interface Frame {
  /** `undefined` where nothing within is looked for. */
  readonly wanted: Wanted | undefined
  readonly isList: boolean
  index: number
  key: string
  awaitsKey: boolean
}

/** The lines of places in a JSON text, found in one pass over it, however many there are. */
export function linesInJson(text: string, paths: readonly (readonly string[])[]): number[] {
  const root = treeOf(paths)
  markLines(text, root)
  return paths.map((path) => nearestLine(root, path))
}

function treeOf(paths: readonly (readonly string[])[]): Wanted {
  const root: Wanted = { line: 1, below: new Map() }
  for (const path of paths) {
    let at = root
    for (const key of path) {
      const next: Wanted = at.below.get(key) ?? { line: 0, below: new Map() }
      at.below.set(key, next)
      at = next
    }
  }
  return root
}

function nearestLine(root: Wanted, path: readonly string[]): number {
  let [at, found]: [Wanted | undefined, number] = [root, 1]
  for (const key of path) {
    at = at?.below.get(key)
    if (at !== undefined && at.line > 0) found = at.line
  }
  return found
}

function markLines(text: string, root: Wanted): void {
  const lineAt = createLineCount(text)
  const frames: Frame[] = []
  const mark = (wanted: Wanted | undefined, index: number): void => {
    if (wanted?.line === 0) wanted.line = lineAt(index)
  }
  const wantedAt = (frame: Frame | undefined): Wanted | undefined =>
    frame === undefined ? root : frame.wanted?.below.get(frame.isList ? String(frame.index) : frame.key)

  for (const { token, index } of tokensOf(text)) {
    const frame = frames.at(-1)
    if (token === '}' || token === ']') frames.pop()
    else if (token === ',') nextEntry(frame)
    else if (frame?.awaitsKey === true) {
      frame.awaitsKey = false
      frame.key = frame.wanted === undefined ? '' : (JSON.parse(token) as string)
      mark(wantedAt(frame), index)
    } else if (token !== ':') {
      const wanted = wantedAt(frame)
      mark(wanted, index)
      const isList = token === '['
      if (isList || token === '{') frames.push({ wanted, isList, index: 0, key: '', awaitsKey: !isList })
    }
  }
}

function nextEntry(frame: Frame | undefined): void {
  if (frame === undefined) return
  frame.index++
  frame.awaitsKey = !frame.isList
}

/** Counts lines up to places that come one after the other. */
function createLineCount(text: string): (index: number) => number {
  let [line, counted] = [1, 0]
  return (index) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', counted)) {
      line++
      counted = at + 1
    }
    return line
  }
}

const TOKEN = /[{}[\],:"]|[^\s{}[\],:"]+/g

// A text may be longer than an expression can match.
function* tokensOf(text: string): Iterable<{ readonly token: string; readonly index: number }> {
  const pattern = new RegExp(TOKEN)
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { index } = found
    if (found[0] === '"') pattern.lastIndex = endOfText(text, index) + 1
    yield { token: text.slice(index, pattern.lastIndex), index }
  }
}

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0
    while (text[at - 1 - escapes] === '\\') escapes++
    if (escapes % 2 === 0) return at
  }
  return text.length
}
