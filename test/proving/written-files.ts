import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { parse, stringify } from 'yaml'
import { runSim } from '../flow/sim-process.ts'
import type { Note } from './bars.ts'

/** Whether what was inferred is valid, and the same when it is inferred again. */
export async function noteFiles(note: Note, directory: string): Promise<void> {
  const mock = join(directory, 'mock')
  const why: string[] = []
  for (const file of ['routes.yaml', 'openapi.yaml']) {
    const { code, stdout, stderr } = await runSim(['validate', join(mock, file)])
    if (code !== 0) why.push(`${file}: ${stdout}${stderr}`)
  }
  const description = readFileSync(join(mock, 'openapi.yaml'), 'utf8')
  const { valid, errors } = await new Validator().validate(description)
  if (!valid) why.push(`openapi.yaml: ${JSON.stringify(errors)}`)
  note('valid', why.length === 0 ? 'both' : 'no', why.length === 0, why)
  const before = filesOf(mock)
  await runSim(['fixtures', 'from', join(directory, 'A'), '-o', mock])
  await runSim(['fixtures', 'from', join(directory, 'A'), '-o', join(directory, 'mock-again')])
  const changed = [filesOf(mock), filesOf(join(directory, 'mock-again'))].flatMap((after) =>
    [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)),
  )
  note('again', changed.length === 0 ? 'same' : `${changed.length} differ`, changed.length === 0, changed)
}

function filesOf(directory: string): ReadonlyMap<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(directory.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}

/** The same routes without the answers that are given as they were recorded. */
export function withoutAnswers(mock: string, to: string): void {
  cpSync(mock, to, { recursive: true })
  const file = join(to, 'routes.yaml')
  const document = parse(readFileSync(file, 'utf8')) as { routes?: Record<string, Record<string, unknown>> }
  for (const route of Object.values(document.routes ?? {}))
    for (const each of [route].flat()) {
      delete each['answers']
      delete each['nearest']
    }
  writeFileSync(file, stringify(document, { aliasDuplicateObjects: false }))
}

interface Drifts {
  readonly severities: { readonly breaking: number }
  readonly routes: readonly {
    readonly route: string
    readonly drifts: readonly { severity: string; change: string; part: string; pointer?: string }[]
  }[]
}

/** Whether the second session shows a breaking change that the server did not make. */
export async function noteDrift(note: Note, directory: string): Promise<void> {
  const counts: number[] = []
  const why: string[] = []
  for (const against of ['A', 'mock/routes.yaml']) {
    const args = ['recordings', 'diff', join(directory, 'B'), '--against', join(directory, against)]
    const { stdout, stderr } = await runSim([...args, '--json', '--fail-on', 'never'])
    if (stdout === '') throw new Error(`sim recordings diff: ${stderr}`)
    const { severities, routes } = JSON.parse(stdout) as Drifts
    counts.push(severities.breaking)
    for (const { route, drifts } of routes)
      for (const { severity, change, part, pointer = '' } of drifts)
        if (severity === 'breaking') why.push(`against ${against}: ${route}: ${change} ${part} ${pointer}`)
  }
  const ok = counts.every((count) => count === 0)
  note('drift', counts.join(', '), ok, why)
}
