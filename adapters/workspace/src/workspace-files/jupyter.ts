import { invalid } from '../errors.ts'
import { LANGUAGES, isLanguage, type Language } from './language.ts'

interface JupyterCell {
  readonly cell_type?: unknown
  readonly source?: unknown
}

/** A Jupyter notebook's code in the form of a notebook's source; cells of text become `%md` cells. */
export function sourceOfJupyter(bytes: Buffer): { readonly language: Language; readonly source: Buffer } {
  const notebook = parse(bytes)
  const language = languageOf(notebook['metadata'])
  const cells = Array.isArray(notebook['cells']) ? (notebook['cells'] as readonly (JupyterCell | null)[]) : []
  const parts = cells.map((cell) =>
    cell?.cell_type === 'code' ? textOf(cell.source) : asMagic(`%md\n${textOf(cell?.source)}`, language),
  )
  return { language, source: Buffer.from(parts.join(separatorOf(language))) }
}

/** A notebook's source as a Jupyter notebook. */
export function jupyterOfSource(source: Buffer, language: Language): Buffer {
  const cells = source
    .toString()
    .split(separatorOf(language))
    .map((text) => {
      const markdown = markdownOf(text, language)
      if (markdown !== undefined) return { cell_type: 'markdown', metadata: {}, source: linesOf(markdown) }
      return { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: linesOf(text) }
    })
  const metadata = { language_info: { name: language.toLowerCase() } }
  return Buffer.from(JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 0 }))
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (value !== null && typeof value === 'object') return value as Readonly<Record<string, unknown>>
  } catch {
    // Told below: what the parser says would repeat what was sent.
  }
  throw invalid('The content is not a Jupyter notebook: it must be a JSON object.')
}

function languageOf(metadata: unknown): Language {
  const { language_info: info } = (metadata ?? {}) as { readonly language_info?: { readonly name?: unknown } }
  const name = typeof info?.name === 'string' ? info.name.toUpperCase() : ''
  return isLanguage(name) ? name : 'PYTHON'
}

function textOf(source: unknown): string {
  if (Array.isArray(source)) return source.join('')
  return typeof source === 'string' ? source : ''
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

function separatorOf(language: Language): string {
  return `\n\n${LANGUAGES[language].comment} COMMAND ----------\n\n`
}

function asMagic(text: string, language: Language): string {
  const prefix = `${LANGUAGES[language].comment} MAGIC`
  return text
    .split('\n')
    .map((line) => (line === '' ? prefix : `${prefix} ${line}`))
    .join('\n')
}

function markdownOf(text: string, language: Language): string | undefined {
  const prefix = `${LANGUAGES[language].comment} MAGIC`
  const lines = text.split('\n')
  if (!lines.every((line) => line.startsWith(prefix))) return undefined
  const [first = '', ...rest] = lines.map((line) => line.slice(prefix.length + 1))
  if (!first.startsWith('%md')) return undefined
  return [...(first === '%md' ? [] : [first.slice('%md'.length).trimStart()]), ...rest].join('\n')
}
