import { parseSync, visitorKeys } from 'oxc-parser'

/** One small change to a source file. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Such as `a < b -> a <= b`. */
  readonly change: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const OPERATORS: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '&': '|',
  '|': '&',
  in: 'instanceof',
}
const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toLowerCase: 'toUpperCase',
  push: 'unshift',
  shift: 'pop',
}
/** Keys whose texts only people read. */
const PROSE = new Set(['description', 'summary', 'describe', 'title', 'help'])

/** Every mutant of a source file, in the order of the file. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program } = parseSync(file, source)
  const mutants: Mutant[] = []
  const add = (node: Node, replacement: string, shown: Node = node): void => {
    const before = source.slice(shown.start, shown.end)
    const after = source.slice(shown.start, node.start) + replacement + source.slice(node.end, shown.end)
    const line = source.slice(0, node.start).split('\n').length
    const change = `${brief(before)} -> ${brief(after) || 'nothing'}`
    mutants.push({ file, line, start: node.start, end: node.end, replacement, change })
  }
  const text = (node: Node): string => source.slice(node.start, node.end)

  const walk = (node: Node, parent: Node | undefined): void => {
    if (isUnchanged(node, parent)) return
    MUTATORS[node.type]?.(node, { add, text, parent })
    for (const key of visitorKeys[node.type] ?? []) {
      const child = node[key] as Node | (Node | null)[] | null | undefined
      for (const each of Array.isArray(child) ? child : [child]) if (each) walk(each, node)
    }
  }
  walk(program as unknown as Node, undefined)
  return mutants.toSorted((a, b) => a.start - b.start)
}

interface Context {
  add(node: Node, replacement: string, shown?: Node): void
  text(node: Node): string
  readonly parent: Node | undefined
}

const MUTATORS: Readonly<Record<string, (node: Node, context: Context) => void>> = {
  BinaryExpression: changeOperator,
  LogicalExpression: changeOperator,
  IfStatement: changeTest,
  ConditionalExpression: changeTest,
  WhileStatement: (node, { add }) => add(node['test'] as Node, 'false'),
  UnaryExpression(node, { add, text }) {
    if (node['operator'] === '!' || node['operator'] === '-') add(node, text(node['argument'] as Node))
  },
  UpdateExpression(node, { add, text }) {
    add(
      node,
      text(node).replace(/\+\+|--/, (operator) => (operator === '++' ? '--' : '++')),
    )
  },
  AssignmentExpression(node, { add, text }) {
    const operator = String(node['operator'])
    if (operator !== '+=' && operator !== '-=') return
    const [left, right] = [text(node['left'] as Node), text(node['right'] as Node)]
    add(node, `${left} ${operator === '+=' ? '-=' : '+='} ${right}`)
  },
  Literal(node, { add, parent }) {
    const { value } = node
    const shown = parent?.type === 'BinaryExpression' || parent?.type === 'Property' ? parent : node
    if (typeof value === 'boolean') add(node, String(!value), shown)
    if (typeof value === 'number') add(node, value === 0 ? '1' : String(value + 1), shown)
    if (typeof value === 'string') add(node, value === '' ? "'mutant'" : "''", shown)
  },
  ArrayExpression(node, { add }) {
    if ((node['elements'] as unknown[]).length > 0) add(node, '[]')
  },
  MemberExpression(node, { add, parent }) {
    const property = node['property'] as Node
    const other = METHODS[String(property['name'])]
    if (other !== undefined && parent?.type === 'CallExpression' && node['computed'] === false)
      add(property, other, node)
  },
  ReturnStatement(node, { add }) {
    if (node['argument'] !== null) add(node['argument'] as Node, 'undefined', node)
  },
  ArrowFunctionExpression(node, { add }) {
    const body = node['body'] as Node
    if (node['expression'] === true && body.type !== 'Identifier') add(body, 'undefined', node)
  },
  ExpressionStatement(node, { add }) {
    const { type } = node['expression'] as Node
    if (['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UnaryExpression'].includes(type))
      add(node, ';')
  },
  ThrowStatement: (node, { add }) => add(node, ';'),
}

function changeOperator(node: Node, { add, text }: Context): void {
  const operator = String(node['operator'])
  const other = OPERATORS[operator]
  const [left, right] = [node['left'] as Node, node['right'] as Node]
  const joinsText = operator === '+' && [left, right].some(isText)
  if (other !== undefined && !joinsText) add(node, `(${text(left)} ${other} ${text(right)})`)
}

function changeTest(node: Node, { add }: Context): void {
  const test = node['test'] as Node
  const shown = { ...node, end: test.end } as Node
  add(test, 'true', shown)
  add(test, 'false', shown)
}

function isText(node: Node): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node['value'] === 'string')
}

// Types and imports do nothing when a test runs, and prose is compared by people.
function isUnchanged({ type, ...node }: Node, parent: Node | undefined): boolean {
  if (type.startsWith('TS') && !/^TS(?:As|NonNull|Satisfies)/.test(type)) return true
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration' || type === 'ImportExpression')
    return true
  if (type === 'Literal' && parent?.type === 'ExportNamedDeclaration') return true
  if (type === 'Property' && PROSE.has(String((node['key'] as Node)['name']))) return true
  return type === 'NewExpression' && /Error|Invalid/.test(String((node['callee'] as Node)['name']))
}

function brief(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 67)}...` : line
}
