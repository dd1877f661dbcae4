import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppAnswers, Exchange } from './ask.ts'
import { digestOf } from './pages.ts'

/** The answers of an app as they are kept: a line for each request. */
export interface RecordedApp {
  readonly app: string
  readonly digest: string
  readonly lines: readonly string[]
}

export const RECORD = join(import.meta.dirname, 'recorded.txt')

/** Answers as lines such as `200 3f2a91c0de GET /users?name=Ada`: status, digest of the whole answer, request. */
export function toRecord({ app, digest, refused, exchanges }: AppAnswers): RecordedApp {
  return {
    app,
    digest,
    lines: refused === undefined ? exchanges.map(toLine) : [`refused ${digestOf(refused)}`],
  }
}

function toLine({ request, answer }: Exchange): string {
  const title = `${request.method} ${request.path}`
  return `${answer.status} ${digestOf([request, answer])} ${title.slice(0, 60)}`
}

export function writeRecord(apps: readonly RecordedApp[]): string {
  return apps.map(({ app, digest, lines }) => `# ${digest} ${app}\n${lines.join('\n')}\n`).join('\n')
}

export function readRecord(file = RECORD): RecordedApp[] {
  return readFileSync(file, 'utf8')
    .split(/\n\n(?=# )/)
    .map((part) => {
      const [head = '', ...lines] = part.trimEnd().split('\n')
      const [, digest = '', app = ''] = /^# (\S+) (.*)$/.exec(head) ?? []
      return { app, digest, lines }
    })
}
