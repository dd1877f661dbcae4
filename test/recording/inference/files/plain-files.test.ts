import { expect, it } from 'vitest'
import { plainRules } from '../../../../src/recording/inference/files/plain-files.ts'
import { type Entry, samplesOf } from '../samples.ts'

const BYTES: Readonly<Record<string, string>> = { 'one.txt': 'first', 'two.txt': 'second' }

function pathsOf(...entries: readonly Entry[]): readonly string[] {
  const samples = samplesOf(...entries)
  const rules = plainRules(samples, (index) => {
    const { method, segments } = samples[index] ?? {}
    const bytes = BYTES[segments?.at(-1) ?? '']
    if (bytes === undefined) return {}
    return method === 'PUT' ? { sent: bytes } : { answered: bytes }
  })
  return rules.flatMap(({ method, path }) => (method === 'PUT' ? [path] : []))
}

const FILES: readonly Entry[] = [
  ['PUT /notes/one.txt', { status: 201 }],
  ['GET /notes/one.txt', {}],
  ['PUT /notes/two.txt', { status: 201 }],
  ['GET /notes/two.txt', {}],
]

it('has files below the folder that all share', () => {
  expect(pathsOf(...FILES)).toEqual(['/notes/{path*}'])
})

it('has files below folders of any name where a client made the one that all share', () => {
  expect(pathsOf(['PUT /notes', { status: 201 }], ...FILES)).toEqual(['/{path*}'])
})
