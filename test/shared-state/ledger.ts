interface Item {
  readonly id: number
  readonly name: string
  readonly count: number
}

/** What a client knows of one of its items: what it is, or may be where an answer did not come. */
interface Known {
  /** The values of which one is true; `undefined` for no item at all. */
  possible: (Item | undefined)[]
}

interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
}

const NAMED = new Set([
  'SIM_STATE_UNAVAILABLE',
  'SIM_STATE_UNCERTAIN',
  'SIM_STATE_BEHIND',
  'SIM_STATE_LOADING',
])
const TIMEOUT_MS = 5000

/** What clients were answered, and what that promises of all later answers. */
export class Ledger {
  readonly problems: string[] = []
  /** Codes that answers may have besides those of a state that cannot be reached. */
  readonly allowed = new Set<string>()
  readonly #items = new Map<number, Known>()
  readonly #byClient = new Map<number, number[]>()
  readonly #outcomes = new Map<string, number>()
  #created = 0
  readonly #most: number

  /** @param most how many items each client keeps: with one more, it removes the oldest */
  constructor(most = Infinity) {
    this.#most = most
  }

  /** One request of a client, and what its answer says. */
  async step(url: string, client: number, random: () => number): Promise<void> {
    const own = this.#byClient.get(client) ?? []
    this.#byClient.set(client, own)
    const oldest = own.length > this.#most ? own.shift() : undefined
    if (oldest !== undefined) return this.#remove(url, oldest, this.#items.get(oldest) as Known)
    const id = own[Math.floor(random() * own.length)]
    const drawn = random()
    if (id === undefined || drawn < 0.4) return this.#create(url, own, client, Math.floor(random() * 1e6))
    const known = this.#items.get(id) as Known
    if (drawn < 0.75) return this.#read(url, id, known)
    if (drawn < 0.95) return this.#change(url, id, known, Math.floor(random() * 1e6))
    return this.#remove(url, id, known)
  }

  /** How many requests had an outcome, such as `201` or `SIM_STATE_LOST`. */
  count(outcome: string): number {
    return this.#outcomes.get(outcome) ?? 0
  }

  /** Whether all that was answered is there. */
  async compare(url: string): Promise<readonly string[]> {
    const before = this.problems.length
    for (const [id, known] of this.#items) await this.#read(url, id, known)
    return this.problems.splice(before)
  }

  summary(): string {
    const outcomes = [...this.#outcomes].toSorted().map(([outcome, count]) => `${outcome} × ${count}`)
    return `${this.#created} created, ${this.#items.size} items; ${outcomes.join(', ')}`
  }

  async #create(url: string, own: number[], client: number, count: number): Promise<void> {
    const answer = await this.#ask(url, 'POST', '/items', { name: `client ${client}`, count })
    if (answer?.status !== 201) return
    const item = answer.body as Item
    if (this.#items.has(item.id)) return this.#complain(`id ${item.id} was given twice`)
    this.#created++
    this.#items.set(item.id, { possible: [item] })
    own.push(item.id)
  }

  async #read(url: string, id: number, known: Known): Promise<void> {
    const answer = await this.#ask(url, 'GET', `/items/${id}`)
    if (answer === undefined || answer.status >= 500) return
    const found = answer.status === 200 ? (answer.body as Item) : undefined
    const fits = known.possible.find((each) => each?.name === found?.name && each?.count === found?.count)
    if (found !== undefined && fits === undefined)
      this.#complain(`item ${id} is ${JSON.stringify(found)}, not ${JSON.stringify(known.possible)}`)
    if (found === undefined && !known.possible.includes(undefined))
      this.#complain(`item ${id} is lost (${answer.status}): ${JSON.stringify(known.possible)}`)
    known.possible = [found]
  }

  async #change(url: string, id: number, known: Known, count: number): Promise<void> {
    const [item] = known.possible.filter((each) => each !== undefined)
    const answer = await this.#ask(url, 'PATCH', `/items/${id}`, { name: item?.name ?? '', count })
    if (answer?.status === 200) known.possible = [answer.body as Item]
    else if (answer === undefined || answer.code === 'SIM_STATE_UNCERTAIN')
      known.possible.push({ id, name: item?.name ?? '', count })
  }

  async #remove(url: string, id: number, known: Known): Promise<void> {
    const answer = await this.#ask(url, 'DELETE', `/items/${id}`)
    if (answer?.status === 204 || answer?.status === 404) {
      if (answer.status === 404 && !known.possible.includes(undefined))
        this.#complain(`item ${id} was gone before it was removed`)
      known.possible = [undefined]
    } else if (answer === undefined || answer.code === 'SIM_STATE_UNCERTAIN') known.possible.push(undefined)
  }

  /** `undefined` where no answer came, so that it is not known what became of the request. */
  async #ask(url: string, method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await response.text()
      const value = text === '' ? undefined : (JSON.parse(text) as { readonly code?: string })
      const code = response.status >= 500 ? (value?.code ?? 'unnamed') : undefined
      this.#count(code ?? String(response.status))
      if (code !== undefined && !NAMED.has(code) && !this.allowed.has(code))
        this.#complain(`${method} ${path} is ${response.status} ${code}: ${text}`)
      return { status: response.status, code, body: value }
    } catch (error) {
      const { name, cause } = error as Error
      const why = (cause as NodeJS.ErrnoException | undefined)?.code ?? name
      this.#count(why)
      if (name === 'TimeoutError') this.#complain(`${method} ${path} has no answer after ${TIMEOUT_MS} ms`)
      // Nobody was there to do it.
      return why === 'ECONNREFUSED' ? { status: 599, code: 'refused', body: undefined } : undefined
    }
  }

  #count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
  }

  #complain(problem: string): void {
    this.problems.push(problem)
  }
}
