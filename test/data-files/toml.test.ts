import { describe, expect, it } from 'vitest'
import { readToml } from '../../src/data-files/toml.ts'

describe('reading TOML', () => {
  it('gives the line of a key, however it is written', () => {
    const text = `top = 1
[tool . "sim"]
seed = 1
store.max_items = 2
  'a b' = 3
inner = { key = 1 }
[[many]]
seed = 4
`
    const { linesOf, problems } = readToml(text)
    const lineOf = (keys: string[]) => linesOf([keys])[0]
    const keys = [['seed'], ['store', 'max_items'], ['a b'], ['inner', 'key'], []]
    expect(keys.map((each) => lineOf(['tool', 'sim', ...each]))).toEqual([3, 4, 5, 6, 2])
    expect([lineOf(['top']), lineOf(['many', 'seed']), lineOf(['none'])]).toEqual([1, 8, 1])
    expect(problems).toEqual([])
  })

  it('places the first mistake', () => {
    expect(readToml('a = 1\nb = [1').problems).toEqual([
      { line: 2, message: expect.stringMatching(/^not valid TOML: \S/) as unknown },
    ])
  })
})
