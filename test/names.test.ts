import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countIn, filesToRead, ROOT } from './retired-names.ts'

describe('the words of the project', () => {
  it('finds each retired word in text that is full of them', () => {
    const text = [
      'const forwardLane = 1 // goes the whole way, a plain question; MOST_BYTES',
      'befallen: another way in. visitOf(room), tell the rest, who were told what was asked',
      'comes by; this is no URL. class Throttle {} import ./peek-body.ts placeOf(x)',
    ].join('\n')
    const missed = Object.entries(countIn(text)).filter(([, count]) => count === 0)
    expect(missed).toEqual([])
  })

  it('finds none in text that only looks like it', () => {
    const text =
      'There is no route. planes, bathroom, the way in which; is no longer; retell, taskeds, Asking'
    expect(Object.values(countIn(text)).filter((count) => count > 0)).toEqual([])
  })

  it('are plain everywhere', () => {
    const files = filesToRead()
    expect(files.length).toBeGreaterThan(500)
    const found = files.flatMap((name) =>
      Object.entries(countIn(`${name}\n${readFileSync(join(ROOT, name), 'utf8')}`))
        .filter(([, count]) => count > 0)
        .map(([words, count]) => `${name}: ${count} of ${words}`),
    )
    expect(found).toEqual([])
  })
})
