import { type CharacterTest, type Node, parsePattern, PatternInvalid } from './parse.ts'

interface State {
  readonly test: CharacterTest | undefined
  readonly next: number[]
}

const MOST_STATES = 5000

/**
 * A test by a pattern, which must fit the whole text. All ways of matching are followed at once, so the work
 * grows with the text's length and never explodes.
 */
export const createRegex = (pattern: string): ((text: string) => boolean) => {
  const states: State[] = []

  const add = (test: CharacterTest | undefined, next: number[]): number => {
    if (states.length >= MOST_STATES) throw new PatternInvalid('the pattern repeats too much')
    return states.push({ test, next }) - 1
  }

  /** Builds the states of a part back to front: the answer is where it begins. */
  const build = (node: Node, then: number): number => {
    if (node.kind === 'one') return add(node.test, [then])
    if (node.kind === 'sequence') return node.parts.reduceRight((rest, part) => build(part, rest), then)
    if (node.kind === 'either')
      return add(
        undefined,
        node.choices.map((choice) => build(choice, then)),
      )
    let rest = then
    if (node.most === Infinity) {
      const loop = add(undefined, [then])
      states[loop]?.next.push(build(node.part, loop))
      rest = loop
    } else {
      for (let count = node.least; count < node.most; count++)
        rest = add(undefined, [build(node.part, rest), then])
    }
    for (let count = 0; count < node.least; count++) rest = build(node.part, rest)
    return rest
  }

  const end = add(undefined, [])
  const start = build(parsePattern(pattern), end)

  const follow = (from: Iterable<number>): Set<number> => {
    const reached = new Set<number>()
    const waiting = [...from]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (reached.has(index)) continue
      reached.add(index)
      const state = states[index]
      if (state !== undefined && state.test === undefined) waiting.push(...state.next)
    }
    return reached
  }

  const first = follow([start])
  return (text) => {
    let current = first
    for (const character of text) {
      const next: number[] = []
      for (const index of current) {
        const state = states[index]
        if (state?.test?.(character) === true) next.push(...state.next)
      }
      if (next.length === 0) return false
      current = follow(next)
    }
    return current.has(end)
  }
}
