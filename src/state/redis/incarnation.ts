import { randomUUID } from 'node:crypto'
import { beginAnew, meet, type Ask } from './scripts.ts'

/** Finds out whether the server has lost something that this gateway has seen. */
export interface LossCheck {
  /** What was lost, if anything. */
  find(ask: Ask): Promise<string | undefined>
  /** The state began anew: what was seen no longer counts. */
  forget(): void
}

/**
 * Which state a server holds: a name that is drawn when the first gateway comes, and drawn anew where what was lost is
 * let go. A server that restarts empty, or without its latest changes, so does not pass for the one of before.
 */
export class Incarnation {
  /** Empty until the server was first met. */
  born = ''
  /** What the server has lost, if anything. */
  lost: string | undefined
  readonly checks = new Set<LossCheck>()
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  /** Finds out whether this is the state that was known. @param isWhole whether all that was seen in it is checked */
  async meet(ask: Ask, isWhole: boolean): Promise<void> {
    const isFirst = this.born === ''
    const [born] = (await ask.run(meet, [this.#key], [isFirst ? randomUUID() : ''])) as [string]
    const [id = '', before = ''] = born.split(' after ')
    if (isFirst) this.born = id
    else if (before.split(' ').includes(this.born)) this.#adopt(id)
    else if (id !== this.born)
      this.lost = id === '' ? 'it is empty' : 'it is another than this gateway began with'
    else if (isWhole) this.lost = await this.#findLoss(ask)
  }

  /** Goes on with what is there. Gateways that know the state of before, or the one in its place, go on with it too. */
  async begin(ask: Ask): Promise<void> {
    const [seen] = (await ask.run(meet, [this.#key], [''])) as [string]
    const [seenId = ''] = seen.split(' ', 1)
    const id = randomUUID()
    const before = [...new Set([this.born, seenId])].filter((each) => each !== '')
    const now = String(await ask.run(beginAnew, [this.#key], [seen, `${id} after ${before.join(' ')}`]))
    if (now.startsWith(id)) this.#adopt(id)
    else await this.meet(ask, true)
  }

  async #findLoss(ask: Ask): Promise<string | undefined> {
    for (const check of this.checks) {
      const found = await check.find(ask)
      if (found !== undefined) return found
    }
    return undefined
  }

  #adopt(born: string): void {
    this.born = born
    this.lost = undefined
    for (const check of this.checks) check.forget()
  }
}
