import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** The pages of the guide. */
export const GUIDES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

/** The text of a file of the project. */
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** What a text has between backticks. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

/** The rows of a page's tables that have a column of this title, by cells. */
export function rowsOf(page: string, title: string): string[][] {
  return read(page)
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n').map((line) => line.split('|').slice(1, -1)))
    .filter(([head = []]) => head.some((cell) => cell.trim() === title))
    .flatMap((lines) => lines.slice(2).map((cells) => cells.map((cell) => cell.trim())))
}
