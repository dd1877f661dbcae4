import type { PageFacts, PageField } from './page-fields.ts'
import { memberName, type PageParameters, plainName } from './page-parameters.ts'

/**
 * Whether a field is left out of a page, since it says which one that is in another way than it was requested: answers that
 * may say the number of a page or an offset say one of them, and what goes with it.
 */
export function isOfOther(
  { fact, required, path }: PageField,
  fields: readonly PageField[],
  { style, size }: PageParameters,
  ways: readonly PageParameters[],
): boolean {
  const holder = path.slice(0, -1).join('/')
  const isThere = (wanted: keyof PageFacts): boolean =>
    fields.some(
      (each) => each.fact === wanted && !each.required && each.path.slice(0, -1).join('/') === holder,
    )
  const isEither = ways.some((each) => each.style !== style) && isThere('page') && isThere('offset')
  if (required || !isEither) return false
  if (fact === 'size') {
    const name = plainName(path.at(-1) ?? '')
    const isNamed = ways.some((each) => memberName(each.size ?? '') === name)
    return isNamed && memberName(size ?? '') !== name
  }
  return style === 'page' ? fact === 'offset' : fact === 'page' || fact === 'totalPages'
}
