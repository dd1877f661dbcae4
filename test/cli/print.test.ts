import { afterEach, describe, expect, it, vi } from 'vitest'
import { printProblems } from '../../src/cli/print.ts'
import { counted } from '../../src/cli/text.ts'

describe('printProblems', () => {
  afterEach(() => vi.restoreAllMocks())

  function printed(...apps: Parameters<typeof printProblems>[0]): string[] {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    printProblems(apps)
    return write.mock.calls.map(([text]) => String(text))
  }

  it('prints each problem, and what is not simulated by its kind', () => {
    expect(
      printed({ problems: ['a'], notes: ['link: x', 'link: y', 'webhook: z'] }, { problems: ['b'] }),
    ).toEqual([
      'warning: a\n',
      'warning: b\n',
      'not simulated: 2 links, 1 webhook; sim validate names them\n',
    ])
  })

  it('prints twenty problems, and how many more there are', () => {
    const problems = Array.from({ length: 23 }, (_, index) => `p${index}`)
    expect(printed({ problems }).slice(-2)).toEqual([
      'warning: p19\n',
      'warning: and 3 more; sim validate prints all of them\n',
    ])
  })
})

it.for([
  [0, '0 routes'],
  [1, '1 route'],
  [2, '2 routes'],
] as const)('%i is counted as %s', ([count, words]) => {
  expect(counted(count, 'route')).toBe(words)
})
