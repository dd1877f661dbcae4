import type { RouteDefinition } from '../engine/route.ts'
import { memberAt, withMember } from '../engine/schema/member.ts'
import { readPointer } from '../engine/schema/pointer.ts'
import { ItemStale } from '../errors.ts'
import type { Item } from '../state/store.ts'
import type { ItemForm, ItemRequest } from './item-operations.ts'

type OwnForm = Omit<ItemForm, 'list' | 'need' | 'validate'>

/** The form of items that count their changes, where a route says so; the same form for any other. */
export function withVersion(form: OwnForm, { options: { item = {} } }: RouteDefinition): OwnForm {
  const { version, body = '' } = item
  if (version === undefined) return form
  const path = readPointer(version.at)
  const sentAt = [...readPointer(body), ...path]
  const nextOf = (stored: Item): unknown => {
    const now = memberAt(stored, path) ?? version.first
    return typeof now === 'string' ? String(Number(now) + 1) : Number(now) + 1
  }
  const refuseStale = ({ request, id }: ItemRequest, stored: Item): void => {
    const [sent, now] = [memberAt(request.body, sentAt) ?? undefined, memberAt(stored, path)]
    if (version.refuses === true && sent !== undefined && shown(sent) !== shown(now))
      throw new ItemStale(`${id} is at version ${shown(now)}`)
  }
  const { write: _write, ...rest } = form
  return {
    ...rest,
    keepsReplaced: true,
    make(request, given, ordinal) {
      const { stored } = request
      if (stored !== undefined) refuseStale(request, stored)
      const made = form.make(request, given, ordinal)
      return withMember(made, path, stored === undefined ? version.first : nextOf(stored))
    },
    change(request, stored, kept) {
      refuseStale(request, stored)
      return withMember(form.change(request, stored, kept), path, nextOf(stored))
    },
  }
}

// A version that is sent as a text may be kept as a number.
function shown(version: unknown): string {
  return typeof version === 'string' ? version : JSON.stringify(version)
}
