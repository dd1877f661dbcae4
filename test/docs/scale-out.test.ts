import { describe, expect, it } from 'vitest'
import { namesIn, read, rowsOf } from './tables.ts'

const PAGE = 'docs/scale-out.md'
const shownBy = rowsOf(PAGE, 'Shown by').filter((cells) => cells.length > 0)

/** The tests that a cell names, by file and title. */
function testsIn(cell: string): readonly (readonly [file: string, title: string])[] {
  return cell.split('; `').map((text) => {
    const [, file = '', title = ''] = /^`?(test\/[\w/.-]+\.test\.ts)`: (.+)$/.exec(text) ?? []
    return [file, title]
  })
}

describe('the page of several gateways', () => {
  it('names for each promise, failure and view tests that there are', () => {
    expect(shownBy.length).toBeGreaterThan(30)
    const named = shownBy.flatMap((cells) => testsIn(cells.at(-1) ?? ''))
    const missing = named.filter(([file, title]) => title === '' || !hasTest(file, title))
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(40)
  })

  it('names each code of a shared state, and none that there is not', () => {
    const codes = new Set(rowsOf('docs/troubleshooting.md', 'Code').flatMap(([, code = '']) => namesIn(code)))
    const failures = rowsOf(PAGE, 'What happens')
    expect(failures.length).toBeGreaterThan(14)
    for (const [, gets = ''] of failures)
      for (const name of namesIn(gets).filter((each) => /^SIM_[A-Z_]+$/.test(each)))
        expect(codes).toContain(name)
    const all = failures.map(([, gets]) => gets).join(' ')
    // Where others are always quicker, nothing has failed.
    const states = [...codes].filter(
      (code) => code.startsWith('SIM_STATE_') && code !== 'SIM_STATE_CONTENDED',
    )
    expect(states.filter((code) => !all.includes(code))).toEqual([])
  })
})

function hasTest(file: string, title: string): boolean {
  return read(file).includes(`'${title}'`)
}
