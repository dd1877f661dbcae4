import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where in a file something is; both counted from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

const FRAME = /at (?:async )?(?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:\\).*?):(\d+):(\d+)\)?$/

/**
 * The first place of a stack that is in code of a user: neither in a package nor in this one.
 * @param named what was to be called there, where that is not in the stack
 */
export function placeIn(stack: string | undefined, named = ''): Place | undefined {
  let called = named
  for (const frame of stack?.split('\n') ?? []) {
    const [, name = '', url, line, column] = FRAME.exec(frame) ?? []
    if (url === undefined) continue
    const file = (url.startsWith('file:') ? fileURLToPath(url) : url).replace(/\?[^]*$/, '')
    if (!file.startsWith(`${OWN}/`) && !/[\\/]node_modules[\\/]/.test(file))
      return inSource({ file, line: Number(line), column: Number(column) }, called)
    called = name.replace(/^.*\./, '')
  }
  return undefined
}

/** The folder of this package's own code. */
const OWN = import.meta.dirname.replace(/[\\/]loaders$/, '')

// What was made of TypeScript has the lines of its source, but not the columns.
function inSource(place: Place, called: string): Place {
  if (!/\.[cm]?tsx?$/.test(place.file) || called === '') return place
  try {
    const line = readFileSync(place.file, 'utf8').split('\n')[place.line - 1] ?? ''
    const found = line.indexOf(`${called}(`)
    return found < 0 ? place : { ...place, column: found + 1 }
  } catch {
    return place
  }
}

/** A place as people and editors read it: `app.ts:12:5`. */
export function placeText({ file, line, column }: Place, directory = process.cwd()): string {
  const near = relative(directory, file)
  return `${near === '' || near.startsWith('..') ? file : near}:${line}:${column}`
}
