/** A fenced block of a page. */
export interface Block {
  /** The page it stands on, such as `docs/options.md`. */
  readonly page: string
  /** The line of its opening fence, counted from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** What the HTML comments right before it say, such as `output` or `file: sim.json`. */
  readonly notes: ReadonlyMap<string, string>
}

const FENCE = /^([^`]*?)(`{3,}|~{3,})\s*(.*)$/
const NOTE = /^<!--\s*(output|picture|quote|file|exit|generated|end)(?::\s*(\S+))?\s*-->$/
const COMMENT = /^<!--.*-->$/

/**
 * The blocks of a page, in order. The page's file is read with LF line ends.
 * @throws Error when the page holds code in a form that would not be run, or a comment before a block is not known
 */
export function readBlocks(page: string, source: string): Block[] {
  const lines = source.split('\n')
  const blocks: Block[] = []
  let notes = new Map<string, string>()

  for (let index = 0; index < lines.length; index++) {
    const text = lines[index] ?? ''
    const [, indent, fence, language = ''] = FENCE.exec(text) ?? []
    if (fence === undefined) {
      if (isHiddenCode(text, lines[index - 1] ?? ''))
        throw problem(page, index, 'code that is not in a fenced block would not be run')
      notes = readNote(text, notes, page, index)
      continue
    }
    if (indent !== '' || fence !== '```') throw problem(page, index, 'a block begins with ``` at the margin')
    const end = lines.indexOf('```', index + 1)
    if (end < 0) throw problem(page, index, 'the block has no end')
    const body = lines.slice(index + 1, end).join('\n')
    blocks.push({ page, line: index + 1, language: language.trim(), text: body, notes })
    notes = new Map()
    index = end
  }
  return blocks
}

/** An error that names the place on a page. */
export function problem(page: string, index: number, message: string): Error {
  return new Error(`${page}:${index + 1}: ${message}`)
}

// Markdown takes an indented paragraph for code, and HTML has a way of its own.
function isHiddenCode(line: string, before: string): boolean {
  return /<pre\b/i.test(line) || (/^( {4}|\t)\s*\S/.test(line) && before.trim() === '')
}

function readNote(
  line: string,
  notes: Map<string, string>,
  page: string,
  index: number,
): Map<string, string> {
  if (!COMMENT.test(line.trim())) return line.trim() === '' ? notes : new Map<string, string>()
  const [, name, value = ''] = NOTE.exec(line.trim()) ?? []
  if (name === undefined) throw problem(page, index, `nobody knows what ${line.trim()} means`)
  return new Map([...notes, [name, value]])
}
