import { type Filter, Malformed, type Operand, Unknown } from './statement.ts'
import { momentIn, nanosecondsIn } from './times.ts'
import { patternOf, type Tokens } from './tokens.ts'

/** Reads what points have to be like. @throws Malformed, Unknown */
export function readFilter(tokens: Tokens, now: bigint): Filter {
  let left = readAll(tokens, now)
  while (tokens.accept('or')) left = { kind: 'or', left, right: readAll(tokens, now) }
  return left
}

function readAll(tokens: Tokens, now: bigint): Filter {
  let left = readTest(tokens, now)
  while (tokens.accept('and')) left = { kind: 'and', left, right: readTest(tokens, now) }
  return left
}

function readTest(tokens: Tokens, now: bigint): Filter {
  if (tokens.accept('(')) {
    const inner = readFilter(tokens, now)
    tokens.expect(')')
    return inner
  }
  const name = tokens.name()
  const operator = tokens.take()
  if (operator.kind !== 'sign' || !/^(=|!=|<>|<|>|<=|>=|=~|!~)$/.test(operator.text))
    throw new Malformed(operator.text, operator.at)
  const value = name.toLowerCase() === 'time' ? readTime(tokens, now) : readValue(tokens)
  return { kind: 'test', name, operator: operator.text === '<>' ? '!=' : operator.text, value }
}

function readValue(tokens: Tokens): Operand {
  if (tokens.accept('true')) return true
  if (tokens.accept('false')) return false
  if (tokens.is('-') || tokens.next.kind === 'number') return tokens.number()
  const token = tokens.take()
  if (token.kind === 'pattern') return { accepts: patternOf(token.text) }
  if (token.kind === 'name' || token.kind === 'word') throw new Unknown()
  if (token.kind !== 'text') throw new Malformed(token.text, token.at)
  return token.text
}

function readTime(tokens: Tokens, now: bigint): bigint {
  let time = readMoment(tokens, now)
  while (tokens.is('+') || tokens.is('-')) {
    const isLater = tokens.take().text === '+'
    time += isLater ? readDuration(tokens) : -readDuration(tokens)
  }
  return time
}

function readMoment(tokens: Tokens, now: bigint): bigint {
  if (tokens.accept('now', '(', ')')) return now
  const token = tokens.take()
  if (token.kind === 'time') return nanosecondsIn(token.text)
  if (token.kind === 'number') return BigInt(Math.trunc(Number(token.text)))
  const time = token.kind === 'text' ? momentIn(token.text) : undefined
  if (time === undefined) throw new Malformed(token.text, token.at)
  return time
}

/** Reads a duration such as `5m`, in nanoseconds. @throws Malformed */
export function readDuration(tokens: Tokens): bigint {
  const token = tokens.take()
  if (token.kind !== 'time') throw new Malformed(token.text, token.at)
  return nanosecondsIn(token.text)
}
