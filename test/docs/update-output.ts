import { readFileSync, writeFileSync } from 'node:fs'
import type { Block } from './markdown.ts'

const WIDTH = 100

/** Puts what was printed in place of an output on a page; one that leaves something open is left alone. */
export function updateOutput(file: string, { language, text }: Block, shown: string): boolean {
  if (text.includes('…')) return false
  const output = language === 'json' ? printJson(JSON.parse(shown)) : shown.replace(/[ \t\r]+$/gm, '').trim()
  const fence = (content: string): string => `\`\`\`${language}\n${content}\n\`\`\``
  const page = readFileSync(file, 'utf8')
  // The function keeps `$` in the output from meaning anything.
  writeFileSync(
    file,
    page.replace(fence(text), () => fence(output)),
  )
  return true
}

/** JSON as on the pages: what fits a line stands on one. */
function printJson(value: unknown, indent = ''): string {
  const line = printLine(value)
  if (value === null || typeof value !== 'object' || indent.length + line.length <= WIDTH) return line
  const deeper = `${indent}  `
  const lines = Array.isArray(value)
    ? value.map((item: unknown) => `${deeper}${printJson(item, deeper)}`)
    : Object.entries(value).map(
        ([key, entry]) => `${deeper}${JSON.stringify(key)}: ${printJson(entry, deeper)}`,
      )
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}

function printLine(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${printLine(entry)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
