import { wordsIn } from './name-words.ts'

/** What of a thing's life a field says the moment of. */
export type LifeEvent = 'made' | 'changed' | 'ended'

const EVENTS: readonly (readonly [LifeEvent, RegExp])[] = [
  ['made', /^(create|created|creation|inserted|registered|published|opened|added)$/],
  ['changed', /^(updated|update|modified|modification|changed|edited)$/],
  [
    'ended',
    /^(closed|delete|deleted|completed|finished|resolved|archived|merged|cancell?ed|removed|revoked|disabled|refunded|fulfilled)$/,
  ],
]
const AROUND = /^(at|on|date|time|timestamp|datetime|last|utc|)$/

/**
 * The event whose moment a field has by its name, such as `created_at`, `dateModified` and `closedOn`. What is called by
 * the event alone, as `created`, may as well say whether it was.
 */
export function lifeEventOf(
  name: string,
): { readonly event: LifeEvent; readonly isAlone: boolean } | undefined {
  const words = wordsIn(name)
  const others = words.filter((word) => !AROUND.test(word))
  const [word = '', ...more] = others
  const event = more.length > 0 ? undefined : EVENTS.find(([, pattern]) => pattern.test(word))?.[0]
  return event && { event, isAlone: words.length === others.length }
}

/** Whether a field says by its name who ended a thing, such as `closed_by`. */
export function namesWhoEnded(name: string): boolean {
  const [word = '', by, ...others] = wordsIn(name)
  return by === 'by' && others.length === 0 && lifeEventOf(word)?.event === 'ended'
}
