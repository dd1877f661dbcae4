import { invalid } from '../errors.ts'

/** What notebooks are written in, and how that looks in their sources. */
export const LANGUAGES = {
  PYTHON: { extension: 'py', comment: '#' },
  SQL: { extension: 'sql', comment: '--' },
  SCALA: { extension: 'scala', comment: '//' },
  R: { extension: 'r', comment: '#' },
} as const

export type Language = keyof typeof LANGUAGES

/** Whether a text names a language. */
export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text)
}

/** The language that files of an extension are in. */
export function languageOfExtension(extension: string): Language | undefined {
  const found = Object.entries(LANGUAGES).find((entry) => entry[1].extension === extension.toLowerCase())
  return found?.[0] as Language | undefined
}

/** The first line of a notebook's source. */
function headerOf(language: Language): string {
  return `${LANGUAGES[language].comment} Databricks notebook source`
}

/** Whether a source says in its first line that it is a notebook. */
export function hasHeader(source: Buffer, language: Language): boolean {
  const header = headerOf(language)
  const [first = ''] = source
    .subarray(0, header.length + 2)
    .toString()
    .split(/\r?\n/)
  return first === header
}

/** A source without the first line that says it is a notebook. */
export function withoutHeader(source: Buffer, language: Language): Buffer {
  if (!hasHeader(source, language)) return source
  const end = source.indexOf('\n')
  return end < 0 ? Buffer.alloc(0) : source.subarray(end + 1)
}

/** A source with the first line that says it is a notebook. */
export function withHeader(source: Buffer, language: Language): Buffer {
  return Buffer.concat([Buffer.from(`${headerOf(language)}\n`), source])
}

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
    // Said below: what the parser says would repeat what was sent.
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

export interface Imported {
  readonly path: string
  /** Absent for a file that is not a notebook. */
  readonly language?: Language
  readonly bytes: Buffer
}

export interface ImportRequest {
  readonly path: string
  readonly format: string
  readonly language: string | undefined
  readonly bytes: Buffer
}

/** The notebook or file that an import makes. */
export function readImport({ path, format, language, bytes }: ImportRequest): Imported {
  if (format === 'RAW') return { path, bytes }
  if (format === 'AUTO') return readAuto(path, bytes)
  if (format === 'JUPYTER') return readJupyter(path, bytes, language)
  if (format !== 'SOURCE') throw notSimulated(format)
  if (language === undefined) throw invalid('Missing required field: language')
  const known = languageNamed(language)
  return { path, language: known, bytes: withoutHeader(bytes, known) }
}

/** What an export of a notebook holds, and the extension that goes with it. */
export function writeNotebook(
  source: Buffer,
  language: Language,
  format: string,
): { readonly bytes: Buffer; readonly extension: string } {
  if (format === 'JUPYTER') return { bytes: jupyterOfSource(source, language), extension: 'ipynb' }
  if (format !== 'SOURCE' && format !== 'AUTO') throw notSimulated(format)
  return { bytes: withHeader(source, language), extension: LANGUAGES[language].extension }
}

/** What stands after the last dot of a path's name. */
export function extensionOf(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1] ?? ''
}

function readAuto(path: string, bytes: Buffer): Imported {
  const extension = extensionOf(path)
  const notebookPath = path.slice(0, path.length - extension.length - 1)
  if (extension === 'ipynb') return readJupyter(notebookPath, bytes, undefined)
  const language = languageOfExtension(extension)
  if (language === undefined || !hasHeader(bytes, language)) return { path, bytes }
  return { path: notebookPath, language, bytes: withoutHeader(bytes, language) }
}

function readJupyter(path: string, bytes: Buffer, language: string | undefined): Imported {
  const notebook = sourceOfJupyter(bytes)
  return {
    path,
    language: language === undefined ? notebook.language : languageNamed(language),
    bytes: notebook.source,
  }
}

function languageNamed(language: string): Language {
  if (isLanguage(language)) return language
  throw invalid(`language must be one of ${Object.keys(LANGUAGES).join(', ')}.`)
}

function notSimulated(format: string): Error {
  const isKnown = ['HTML', 'DBC', 'R_MARKDOWN', 'RAW'].includes(format)
  return invalid(
    isKnown ? `The format ${format} is not simulated here.` : `'${format.slice(0, 100)}' is not a format.`,
  )
}
