import { lazy } from '../../engine/lazy.ts'
import { PSEUDONYM_TEXT } from '../redaction/secrets.ts'

/** A secret that a rule fits, and where in the text it begins. */
export interface Hit {
  readonly kind: string
  readonly start: number
}

const RULES = /^@secretlint\/secretlint-rule-/
// Comments in what is scanned must not turn rules off.
const COMMENTS = 'filter-comments'

const scanner = lazy(async () => {
  const [{ lintSource }, { rules }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const used = rules
    .filter(({ meta }) => !meta.id.endsWith(COMMENTS))
    .map((rule) => ({ id: rule.meta.id, rule }))
  return (content: string) =>
    lintSource({
      source: { content, filePath: 'recorded', contentType: 'text' },
      options: { config: { rules: used }, noPhysicFilePath: true, maskSecrets: true },
    })
})

/** Texts are scanned in pieces, so that no rule may take the square of their length; the longest secrets fit an overlap. */
const PIECE = 64 * 1024
export const OVERLAP = 8 * 1024

// Of a secret of few letters in a text.
const SHORT_PSEUDONYM = /~[0-9a-f]{1,15}(?![\w~])/g

/** Finds secrets by the rules of secretlint. Pseudonyms count as nothing. */
export async function scan(text: string): Promise<readonly Hit[]> {
  const lint = await scanner()
  const hits = new Map<string, Hit>()
  const blank = (found: string): string => ' '.repeat(found.length)
  const plain = text.replaceAll(PSEUDONYM_TEXT, blank).replaceAll(SHORT_PSEUDONYM, blank)
  for (let from = 0; from === 0 || from + OVERLAP < plain.length; from += PIECE - OVERLAP) {
    const { messages } = await lint(plain.slice(from, from + PIECE))
    for (const { ruleId, messageId, range } of messages) {
      const kind = `${ruleId.replace(RULES, '')}/${messageId}`
      const start = from + range[0]
      hits.set(`${kind} ${start}`, { kind, start })
    }
  }
  return [...hits.values()]
}
