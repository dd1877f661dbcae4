import { isAbsolute, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Place } from '../loaders/place.ts'
import type { Problem } from '../loaders/problem.ts'
import type { Validation } from '../loaders/validate-app.ts'
import { version } from './command-line.ts'

type Level = 'error' | 'warning' | 'note'

interface Levelled extends Pick<Problem, 'message' | 'place'> {
  readonly kind: string
  readonly level: Level
}

function allOf({ problems, warnings, notes }: Validation): readonly Levelled[] {
  return [
    ...problems.map((problem) => ({ ...problem, level: 'error' as const })),
    ...warnings.map((problem) => ({ ...problem, level: 'warning' as const })),
    ...notes.map((message) => ({ kind: 'not-simulated', message, level: 'note' as const })),
  ]
}

/** What was found as SARIF 2.1.0, which code hosts and editors read. */
export function sarifOf(found: Validation): object {
  const all = allOf(found).map((each) => ({ ...each, ...placed(each) }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'sim',
            version: version(),
            rules: [...new Set(all.map(({ kind }) => kind))].map((id) => ({ id })),
          },
        },
        results: all.map(({ kind, level, text, place }) => ({
          ruleId: kind,
          level,
          message: { text },
          ...(place !== undefined && { locations: [locationOf(place)] }),
        })),
      },
    ],
  }
}

function locationOf({ file, line, column }: Partial<Place> & Pick<Place, 'file'>): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(nearName(file)) },
      ...(line !== undefined && {
        region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
      }),
    },
  }
}

/** What was found as commands of a workflow on GitHub, which annotate the lines. */
export function annotationsOf(found: Validation): string {
  return allOf(found)
    .map((each) => {
      const { text, place } = placed(each)
      const properties = Object.entries({
        ...(place !== undefined && { file: nearName(place.file), line: place.line, col: place.column }),
        title: `sim: ${each.kind}`,
      })
        .filter(([, value]) => value !== undefined)
        .map(
          ([name, value]) => `${name}=${escape(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
        )
      return `::${each.level === 'note' ? 'notice' : each.level} ${properties.join(',')}::${escape(text)}\n`
    })
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

const IN_MESSAGE = /^((?:[A-Z]:)?[^\n:]+?\.\w+):(\d+)(?::(\d+))?:? /

// What is wrong with files of data says its place in the message.
function placed({ message, place }: Levelled): {
  readonly text: string
  readonly place?: Partial<Place> & Pick<Place, 'file'>
} {
  const [whole = '', file, line, column] = IN_MESSAGE.exec(message) ?? []
  const text = message.slice(whole.length)
  if (place !== undefined) return { text, place }
  if (file === undefined) return { text }
  return {
    text,
    place: { file, line: Number(line), ...(column !== undefined && { column: Number(column) }) },
  }
}

function uriOf(name: string): string {
  return isAbsolute(name) ? pathToFileURL(name).href : name.split('/').map(encodeURIComponent).join('/')
}

function nearName(file: string): string {
  const near = relative(process.cwd(), file)
  return near === '' || near.startsWith('..') ? file : near.replaceAll('\\', '/')
}
