import { createRequire } from 'node:module'
import { lazy } from '../../../engine/lazy.ts'
import {
  type Aggregate,
  AGGREGATIONS,
  type Binary,
  type Expression,
  FUNCTIONS,
  type Matcher,
  type Select,
  type Signature,
  type ValueType,
} from './promql-types.ts'
import { Refusal } from './refusal.ts'
import { wholePattern } from './whole-pattern.ts'

const grammar = lazy(
  () =>
    (
      createRequire(import.meta.url)(
        '@prometheus-io/lezer-promql',
      ) as typeof import('@prometheus-io/lezer-promql')
    ).parser,
)

type SyntaxNode = ReturnType<ReturnType<typeof grammar>['parse']>['topNode']

/** A PromQL expression. @throws Refusal for a text that is none, or whose parts are of the wrong types */
export function parsePromql(text: string): Expression {
  if (text.trim() === '') throw new Refusal('none')
  const top = grammar().parse(text).topNode
  const mistake = mistakeIn(top)
  if (mistake !== undefined) throw new Refusal('syntax', { at: mistake + 1 })
  const only = top.firstChild
  if (only === null) throw new Refusal('syntax', { at: 1 })
  const found = read(only, text)
  typeOf(found)
  return found
}

/** What an expression gives. @throws Refusal where its parts are of the wrong types */
export function typeOf(expression: Expression): ValueType {
  switch (expression.kind) {
    case 'number':
    case 'string':
      return expression.kind === 'string' ? 'string' : 'scalar'
    case 'select':
      return expression.range === undefined ? 'vector' : 'matrix'
    case 'negative':
      return typeOf(expression.of)
    case 'subquery':
      expect(expression.of, 'vector', 'subquery')
      return 'matrix'
    case 'aggregate':
      expect(expression.of, 'vector', 'aggregation expression')
      return 'vector'
    case 'binary': {
      const types = [typeOf(expression.left), typeOf(expression.right)]
      if (types.some((type) => type !== 'scalar' && type !== 'vector'))
        throw new Refusal('type', { expected: 'scalar or instant vector', found: types.join(' and ') })
      return types.includes('vector') ? 'vector' : 'scalar'
    }
    default: {
      const { takes, gives, optional = 0, isMany = false } = FUNCTIONS[expression.name] ?? UNKNOWN
      const { length } = expression.args
      if (length < takes.length - optional || (length > takes.length && !isMany))
        throw new Refusal('type', { expected: `${takes.length} arguments`, found: String(length) })
      for (const [at, each] of expression.args.entries())
        expect(
          each,
          takes[Math.min(at, takes.length - 1)] ?? 'vector',
          `call to function "${expression.name}"`,
        )
      return gives
    }
  }
}

const UNKNOWN: Signature = { takes: [], gives: 'vector' }

function expect(expression: Expression, expected: ValueType, where: string): void {
  const found = typeOf(expression)
  if (found !== expected) throw new Refusal('type', { expected: `${expected} in ${where}`, found })
}

function mistakeIn(top: SyntaxNode): number | undefined {
  const cursor = top.cursor()
  do if (cursor.type.isError) return cursor.from
  while (cursor.next())
  return undefined
}

function read(node: SyntaxNode, text: string): Expression {
  const own = text.slice(node.from, node.to)
  const parts = childrenOf(node)
  const first = (): Expression => read(parts[0] as SyntaxNode, text)
  switch (node.name) {
    case 'NumberDurationLiteral':
      return { kind: 'number', value: numberOf(own) }
    case 'StringLiteral':
      return { kind: 'string', value: stringOf(own) }
    case 'ParenExpr':
      return first()
    case 'UnaryExpr': {
      const of = read(parts[1] as SyntaxNode, text)
      return own.startsWith('-') ? { kind: 'negative', of } : of
    }
    case 'VectorSelector':
      return selectorOf(parts, text)
    case 'MatrixSelector':
      return { ...(first() as Select), range: secondsIn(parts[1], text) }
    case 'SubqueryExpr': {
      const step = parts[2] === undefined ? undefined : secondsIn(parts[2], text)
      return { kind: 'subquery', of: first(), range: secondsIn(parts[1], text), step, offset: 0 }
    }
    case 'OffsetExpr':
      return moved(first(), { offset: secondsIn(parts[2], text) })
    case 'StepInvariantExpr': {
      const [, , time] = parts
      const at = time?.name === 'NumberDurationLiteral' ? numberOf(text.slice(time.from, time.to)) : undefined
      return moved(first(), at === undefined ? {} : { at })
    }
    case 'FunctionCall': {
      const [name, body] = parts
      const called = name === undefined ? '' : text.slice(name.from, name.to)
      if (FUNCTIONS[called] === undefined) throw new Refusal('unknown')
      return { kind: 'call', name: called, args: argumentsIn(body, text) }
    }
    case 'AggregateExpr':
      return aggregateOf(parts, text)
    case 'BinaryExpr':
      return binaryOf(parts, text)
    default:
      throw new Refusal('unknown')
  }
}

function selectorOf(parts: readonly SyntaxNode[], text: string): Select {
  const matchers = parts.flatMap((part): Matcher[] => {
    if (part.name === 'Identifier') return [matcherOf('__name__', '=', text.slice(part.from, part.to))]
    return childrenOf(part).map((each) => {
      const [label, operator, value] = childrenOf(each)
      if (label === undefined || operator === undefined || value === undefined) {
        const quoted = text.slice(each.from, each.to)
        return matcherOf('__name__', '=', stringOf(quoted))
      }
      const name = text.slice(label.from, label.to)
      const written = text.slice(operator.from, operator.to)
      return matcherOf(
        label.name === 'QuotedLabelName' ? stringOf(name) : name,
        written,
        stringOf(text.slice(value.from, value.to)),
      )
    })
  })
  if (matchers.every(({ accepts }) => accepts(''))) throw new Refusal('empty')
  return { kind: 'select', matchers, offset: 0 }
}

function matcherOf(label: string, operator: string, value: string): Matcher {
  const isEqual = operator === '='
  const pattern = operator.endsWith('~') ? wholePattern(value) : undefined
  const fits = pattern ?? ((text: string) => text === value)
  return {
    label,
    accepts: operator.startsWith('!') ? (text) => !fits(text) : fits,
    ...(isEqual && { value }),
  }
}

function aggregateOf(parts: readonly SyntaxNode[], text: string): Aggregate {
  const [operation] = parts
  const modifier = parts.find(({ name }) => name === 'AggregateModifier')
  const [way, labels] = modifier === undefined ? [] : childrenOf(modifier)
  const args = argumentsIn(
    parts.find(({ name }) => name === 'FunctionCallBody'),
    text,
  )
  const name = operation === undefined ? '' : text.slice(operation.from, operation.to).toLowerCase()
  const of = args.at(-1)
  const takes = AGGREGATIONS[name]
  if (takes === undefined) throw new Refusal('unknown')
  if (of === undefined || args.length !== takes)
    throw new Refusal('type', { expected: `${takes} arguments`, found: String(args.length) })
  return {
    ...{ kind: 'aggregate', name, of, parameter: args.length > 1 ? args[0] : undefined },
    labels: labels === undefined ? [] : namesIn(labels, text),
    isWithout: way?.name === 'Without',
  }
}

function binaryOf(parts: readonly SyntaxNode[], text: string): Expression {
  const [left, operator] = parts
  const right = parts.at(-1)
  if (left === undefined || operator === undefined || right === undefined) throw new Refusal('unknown')
  const clause = parts.find(({ name }) => name === 'MatchingModifierClause')
  const own = clause === undefined ? [] : childrenOf(clause)
  const groups = own.findIndex(({ name }) => name.startsWith('Group') && name !== 'GroupingLabels')
  const [way, labels] = own
  const base = read(left, text)
  const binary: Omit<Binary, 'left'> = {
    ...{ kind: 'binary', right: read(right, text) },
    operator: text.slice(operator.from, operator.to).toLowerCase(),
    isBool: parts.some(({ name }) => name === 'BoolModifier'),
    on: way?.name === 'On' && labels !== undefined ? namesIn(labels, text) : undefined,
    ignoring: way?.name === 'Ignoring' && labels !== undefined ? namesIn(labels, text) : [],
    many: groups === -1 ? undefined : own[groups]?.name === 'GroupLeft' ? 'left' : 'right',
    includes:
      own[groups + 1] === undefined || groups === -1 ? [] : namesIn(own[groups + 1] as SyntaxNode, text),
  }
  // A power binds tighter than a sign, which the grammar takes for that of the number.
  const isSigned = binary.operator === '^' && base.kind === 'number' && base.value < 0
  if (isSigned && left.name !== 'ParenExpr')
    return { kind: 'negative', of: { ...binary, left: { kind: 'number', value: -base.value } } }
  return { ...binary, left: base }
}

function argumentsIn(body: SyntaxNode | undefined, text: string): readonly Expression[] {
  return body === undefined ? [] : childrenOf(body).map((each) => read(each, text))
}

function namesIn(labels: SyntaxNode, text: string): readonly string[] {
  return childrenOf(labels).map(({ from, to }) => text.slice(from, to).replaceAll('"', ''))
}

function moved(expression: Expression, by: { readonly offset?: number; readonly at?: number }): Expression {
  if (expression.kind !== 'select' && expression.kind !== 'subquery') throw new Refusal('syntax', { at: 1 })
  return { ...expression, ...by }
}

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child)
  return found
}

function secondsIn(node: SyntaxNode | undefined, text: string): number {
  return node === undefined ? 0 : numberOf(text.slice(node.from, node.to).replaceAll(/\s/g, ''))
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 },
}
const DURATION = /(\d{1,15})(ms|[smhdwy])/g

/** A number, or a duration such as `1h30m` in seconds. */
export function numberOf(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const plain = text.replace(/^[+-]/, '').toLowerCase()
  if (plain === 'inf') return sign * Infinity
  if (/^(\d+(ms|[smhdwy]))+$/.test(plain))
    return [...plain.matchAll(DURATION)].reduce(
      (sum, [, count, unit = 's']) => sum + sign * Number(count) * (UNITS[unit] ?? 1),
      0,
    )
  return sign * Number(plain.replaceAll('_', ''))
}

function stringOf(literal: string): string {
  const inner = literal.slice(1, -1)
  if (literal.startsWith('`')) return inner
  return inner.replaceAll(/\\(x[\da-f]{2}|u[\da-f]{4}|.)/gi, (_all, escape: string) => {
    if (/^[xu]./i.test(escape)) return String.fromCodePoint(Number.parseInt(escape.slice(1), 16))
    return ESCAPES[escape] ?? escape
  })
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
