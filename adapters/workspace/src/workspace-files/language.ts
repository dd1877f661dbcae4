/** What notebooks are written in, and how that looks in their sources. */
export const LANGUAGES = {
  PYTHON: { extension: 'py', comment: '#' },
  SQL: { extension: 'sql', comment: '--' },
  SCALA: { extension: 'scala', comment: '//' },
  R: { extension: 'r', comment: '#' },
} as const

/** A language of notebooks. */
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
