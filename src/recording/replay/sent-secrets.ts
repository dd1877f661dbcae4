import { escapeFor } from '../../collections/files/file-facts.ts'
import type { HeaderPair } from '../../http/headers.ts'
import { JSON_TYPE } from '../../message.ts'
import type { Replays } from '../../state/replays.ts'
import { type Exchange, headerValues, type NameValue } from '../exchange.ts'
import { isHeaderValue } from '../files/check-exchange.ts'
import { looksLikeJson } from '../redaction/redact-json.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { withTexts } from './echoed-values.ts'
import type { ReplayAnswer } from './recorded-answer.ts'

/** A request as its client sent it. */
interface SentRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly NameValue[]
  readonly contentType: string
  /** Without its content coding; absent where it has none. */
  readonly body: Buffer | undefined
}

/** Puts secrets that a session sent in place of the pseudonyms that its recorded answers have of them. */
export interface SentSecrets {
  /** The answer to a request that was found as a recorded one. */
  answer(recorded: ReplayAnswer, exchange: Exchange, sent: SentRequest, session: Replays): ReplayAnswer
}

/** Of a secret, as long as it was where lengths count. */
const PSEUDONYM = /redacted-[0-9a-f]{16}~*/g
/** How one begins. */
const MARK = 'redacted-'
const PLAIN_LENGTH = MARK.length + 16

/**
 * A recording has pseudonyms in place of secrets, and the server would give a client what it sent: the password that it
 * stored, or the key in its own settings. Secrets of a request are those of the recorded one in the order they come.
 */
export function createSentSecrets(redactor: Redactor): SentSecrets {
  const note = ({ request }: Exchange, sent: SentRequest, session: Replays): void => {
    const { url, headers, postData } = request
    const recorded = [url, postData?.text ?? '', ...headers.map(({ value }) => value)].map(pseudonymsIn)
    if (recorded.every((each) => each.length === 0)) return
    const own = redactor.request(sent)
    const valuesOf = (name: string): string => headerValues(own.headers, name.toLowerCase()).join()
    const texts = [own.url, own.body, ...headers.map(({ name }) => valuesOf(name))]
    for (const [at, pseudonyms] of recorded.entries()) {
      const others = pseudonymsIn(texts[at] ?? '')
      if (others.length !== pseudonyms.length) continue
      for (const [place, pseudonym] of pseudonyms.entries()) {
        const secret = own.secrets.get(others[place] ?? '')
        if (secret !== undefined) session.sent.add(pseudonym, secret)
      }
    }
  }
  return {
    answer(recorded, exchange, sent, session) {
      note(exchange, sent, session)
      if (session.sent.size() === 0 || !mentionsAny(recorded)) return recorded
      const own = (found: string): string => {
        const secret = session.sent.peek(bare(found))
        return secret !== undefined && isHeaderValue(secret) ? secret : found
      }
      const headers = recorded.headers.map(([name, value]): HeaderPair => [
        name,
        value.replaceAll(PSEUDONYM, own),
      ])
      const [, type = ''] = headers.find(([name]) => name.toLowerCase() === 'content-type') ?? []
      return withTexts({ ...recorded, headers }, (text, noteText) => {
        const escape = escapeFor(looksLikeJson(text) ? JSON_TYPE : type)
        return text.replaceAll(PSEUDONYM, (found, at: number) => {
          const secret = session.sent.peek(bare(found))
          if (secret === undefined) return found
          const is = Buffer.from(escape(secret)).toString('latin1')
          noteText(at, found, is)
          return is
        })
      })
    },
  }
}

function pseudonymsIn(text: string): string[] {
  return text.includes(MARK) ? (text.match(PSEUDONYM) ?? []).map(bare) : []
}

function bare(pseudonym: string): string {
  return pseudonym.slice(0, PLAIN_LENGTH)
}

function mentionsAny({ headers, body }: ReplayAnswer): boolean {
  return (Buffer.isBuffer(body) && body.includes(MARK)) || headers.some(([, value]) => value.includes(MARK))
}

/** Whether a recorded answer has pseudonyms in place of secrets, cookies aside. */
export function hidesSecrets({ content, headers }: Exchange['response']): boolean {
  const isHidden = ({ name, value }: NameValue): boolean =>
    !/^set-cookie$/i.test(name) && value.includes(MARK)
  return content._redacted === true || headers.some(isHidden)
}
