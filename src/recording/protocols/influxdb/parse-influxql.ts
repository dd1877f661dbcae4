import { readDuration, readFilter } from './read-filter.ts'
import { type Column, type Filter, Malformed, type Source, type Statement, Unknown } from './statement.ts'
import { patternOf, Tokens } from './tokens.ts'

/**
 * Reads the statements of InfluxQL (InfluxDB 1.x) in a text.
 * @param now nanoseconds since 1970
 * @throws Malformed for a text that is none, Unknown for what is not known here
 */
export function parseInfluxQl(text: string, now: bigint): readonly Statement[] {
  const parser = new Parser(text, now)
  const statements: Statement[] = []
  while (!parser.isAtEnd) {
    statements.push(parser.statement())
    if (!parser.isAtEnd) parser.expect(';')
  }
  if (statements.length === 0) throw new Malformed('', 0)
  return statements
}

class Parser extends Tokens {
  readonly #now: bigint

  constructor(text: string, now: bigint) {
    super(text)
    this.#now = now
  }

  statement(): Statement {
    if (this.accept('select')) return this.#select()
    if (this.accept('show')) return this.#show()
    if (this.accept('create')) return this.#create()
    if (this.accept('drop')) return this.#drop()
    if (this.accept('delete')) return { kind: 'remove', from: this.#from(), ...this.#where() }
    if (/^(alter|grant|revoke|set|kill|explain)$/i.test(this.next.text)) throw new Unknown()
    return this.fail()
  }

  #select(): Statement {
    const columns = [this.#column()]
    while (this.accept(',')) columns.push(this.#column())
    if (this.is('into')) throw new Unknown()
    if (!this.is('from')) this.fail()
    const from = this.#from()
    const where = this.#where()
    const by: string[] = []
    let every: bigint | undefined
    if (this.accept('group', 'by'))
      do {
        if (this.accept('time', '(')) {
          every = readDuration(this)
          if (this.is(',')) throw new Unknown()
          this.expect(')')
        } else if (this.accept('*')) by.push('*')
        else if (this.next.kind === 'pattern') throw new Unknown()
        else by.push(this.name())
      } while (this.accept(','))
    const fill = this.accept('fill', '(') ? this.#fill() : 'null'
    const isOrdered = this.accept('order', 'by')
    if (isOrdered) this.expect('time')
    const isDescending = isOrdered && (this.accept('desc') || !(this.accept('asc') || true))
    const { limit, offset } = this.#limits()
    return {
      ...{ kind: 'select', columns, from, ...where, by, fill, isDescending },
      ...(every !== undefined && { every }),
      ...(limit !== undefined && { limit }),
      ...(offset !== undefined && { offset }),
    }
  }

  #column(): Column {
    const column = this.accept('*') ? { field: '*' } : this.#called()
    if (/^[+\-*/%]$/.test(this.next.text)) throw new Unknown()
    return this.accept('as') ? { ...column, alias: this.name() } : column
  }

  #called(): Column {
    if (/^(number|time|text)$/.test(this.next.kind) || this.is('(')) throw new Unknown()
    const name = this.name()
    if (!this.accept('(')) return { field: name }
    if (this.accept('distinct', '(')) throw new Unknown()
    const field = this.accept('*') ? '*' : this.name()
    if (this.is('(')) throw new Unknown()
    const arg = this.accept(',') ? this.number() : undefined
    this.expect(')')
    return { field, call: name.toLowerCase(), ...(arg !== undefined && { arg }) }
  }

  #from(): readonly Source[] {
    if (!this.accept('from')) return []
    const sources: Source[] = []
    do sources.push(this.#source())
    while (this.accept(','))
    return sources
  }

  #source(): Source {
    if (this.is('(')) throw new Unknown()
    if (this.next.kind === 'pattern') return { accepts: patternOf(this.take().text) }
    const parts = [this.name()]
    while (this.accept('.')) parts.push(this.is('.') ? '' : this.name())
    const name = parts.at(-1) ?? ''
    return parts.length > 2 ? { database: parts[0] ?? '', name } : { name }
  }

  #where(): { readonly where?: Filter } {
    return this.accept('where') ? { where: readFilter(this, this.#now) } : {}
  }

  #fill(): 'null' | 'none' | 'previous' | number {
    const isNumber = this.is('-') || this.next.kind === 'number'
    const fill = isNumber ? this.number() : this.take().text.toLowerCase()
    this.expect(')')
    if (typeof fill === 'number' || fill === 'null' || fill === 'none' || fill === 'previous') return fill
    throw new Unknown()
  }

  #limits(): { readonly limit?: number; readonly offset?: number } {
    const limit = this.accept('limit') ? this.number() : undefined
    const offset = this.accept('offset') ? this.number() : undefined
    if (this.is('slimit') || this.is('soffset') || this.is('tz')) throw new Unknown()
    return { ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) }
  }

  #show(): Statement {
    const kinds = [
      ...[['databases'], ['measurements'], ['series'], ['users'], ['retention', 'policies']],
      ...[
        ['tag', 'keys'],
        ['tag', 'values'],
        ['field', 'keys'],
      ],
    ]
    const what = kinds.find((words) => this.accept(...words))
    if (what === undefined) this.unknown()
    const on = this.accept('on') ? this.name() : undefined
    const from = this.#from()
    const keys = this.accept('with', 'key') ? this.#keys() : undefined
    if (this.is('with')) throw new Unknown()
    const where = this.#where()
    return {
      ...{ kind: 'show', what: what.join(' '), from, ...where, ...this.#limits() },
      ...(on !== undefined && { on }),
      ...(keys !== undefined && { keys }),
    }
  }

  #keys(): (key: string) => boolean {
    if (this.accept('in', '(')) {
      const names = [this.name()]
      while (this.accept(',')) names.push(this.name())
      this.expect(')')
      return (key) => names.includes(key)
    }
    const operator = this.take()
    if (this.next.kind === 'pattern') {
      const accepts = patternOf(this.take().text)
      return operator.text === '!~' ? (key) => !accepts(key) : accepts
    }
    const name = this.name()
    return operator.text === '!=' ? (key) => key !== name : (key) => key === name
  }

  #create(): Statement {
    const what = ['database', 'user'].find((word) => this.accept(word))
    const isPolicy = what === undefined && this.accept('retention', 'policy')
    if (what === undefined && !isPolicy) this.unknown()
    const name = this.name()
    const on = this.accept('on') ? this.name() : undefined
    return {
      kind: 'create',
      what: what ?? 'policy',
      name,
      ...(on !== undefined && { on }),
      settings: this.#settings(),
    }
  }

  // Words with what stands behind them, such as `DURATION 7d REPLICATION 1 DEFAULT`.
  #settings(): Readonly<Record<string, string>> {
    const settings: Record<string, string> = {}
    while (!this.isAtEnd && !this.is(';')) {
      if (this.accept('with')) {
        if (!this.is('password') && !this.is('all')) throw new Unknown()
        continue
      }
      const { text } = this.take()
      const hasValue = /^(word|time|number|text)$/.test(this.next.kind) && !/^default$/i.test(text)
      settings[text.toLowerCase()] = hasValue ? this.take().text : ''
    }
    return settings
  }

  #drop(): Statement {
    if (this.accept('series')) return { kind: 'remove', from: this.#from(), ...this.#where() }
    const what = ['database', 'measurement', 'user'].find((word) => this.accept(word))
    const isPolicy = what === undefined && this.accept('retention', 'policy')
    if (what === undefined && !isPolicy) this.unknown()
    const name = this.name()
    const on = this.accept('on') ? this.name() : undefined
    return { kind: 'drop', what: what ?? 'policy', name, ...(on !== undefined && { on }), settings: {} }
  }
}
