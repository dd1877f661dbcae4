import type { CursorForm } from '../../engine/call-model.ts'

/** The token of an item of a list, its place in the list from 0, and its id. */
export interface CursorSeen {
  readonly token: unknown
  readonly index: number
  readonly id: unknown
}

/** How tokens are made of the places or ids of items, where all that were recorded are made so. */
export function findCursorForm(seen: readonly CursorSeen[]): CursorForm | undefined {
  const [first] = seen
  if (first === undefined || typeof first.token !== 'string') return undefined
  return formsOf(first).find((form) =>
    seen.every(({ token, index, id }) => token === cursorOf(form, index, id)),
  )
}

function formsOf({ token, index, id }: CursorSeen): readonly CursorForm[] {
  const whole = String(token)
  const decoded = Buffer.from(whole, 'base64').toString()
  const isBase64 = Buffer.from(decoded).toString('base64') === whole
  return [...(isBase64 ? [{ text: decoded, isBase64 }] : []), { text: whole, isBase64: false }].flatMap(
    ({ text, isBase64: isCoded }): CursorForm[] => {
      const [, before = '', digits = ''] = /^(.*?)((?<!\d)\d+)$/s.exec(text) ?? []
      const base = Number(digits) - index
      const coded = isCoded ? { isBase64: true } : {}
      const byPlace: CursorForm[] =
        digits !== '' && (base === 0 || base === 1)
          ? [{ by: 'place', prefix: before, suffix: '', base, ...coded }]
          : []
      const at = text.indexOf(String(id))
      const suffix = text.slice(at + String(id).length)
      const byId: CursorForm[] =
        at === -1 ? [] : [{ by: 'id', prefix: text.slice(0, at), suffix, base: 0, ...coded }]
      return [...byPlace, ...byId]
    },
  )
}

/** The token of an item by its place in a list and its id. */
export function cursorOf(
  { by, prefix, suffix, base, isBase64 = false }: CursorForm,
  index: number,
  id: unknown,
): string {
  const text = `${prefix}${by === 'place' ? String(index + base) : String(id)}${suffix}`
  return isBase64 ? Buffer.from(text).toString('base64') : text
}

/** How many items come before the one after a token; none where no item has it. @param ids of all in order */
export function placeAfter(form: CursorForm, token: unknown, ids: readonly unknown[]): number {
  if (form.by === 'id') return ids.findIndex((id) => cursorOf(form, 0, id) === token) + 1
  const text = form.isBase64 === true ? Buffer.from(String(token), 'base64').toString() : String(token)
  const place = Number(text.slice(form.prefix.length))
  return text.startsWith(form.prefix) && Number.isSafeInteger(place) ? place - form.base + 1 : 0
}
