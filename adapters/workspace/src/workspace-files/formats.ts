import { invalid } from '../errors.ts'
import { jupyterOfSource, sourceOfJupyter } from './jupyter.ts'
import {
  LANGUAGES,
  hasHeader,
  isLanguage,
  languageOfExtension,
  withHeader,
  withoutHeader,
} from './language.ts'
import type { Language } from './language.ts'

/** What an import makes. */
export interface Imported {
  readonly path: string
  /** Absent for a file that is no notebook. */
  readonly language?: Language
  readonly bytes: Buffer
}

/** What an import is told. */
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
