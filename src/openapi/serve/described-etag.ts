import { etagOf } from '../../engine/etag.ts'
import { lazy } from '../../engine/lazy.ts'
import type { ResponseHeader, ResponseRule } from '../../engine/operation.ts'
import { hashText } from '../../engine/random.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import type { WrittenContent } from '../../message.ts'

/** Makes the ETag of a body, in the form that a response's header has. */
export type MakeEtag = (content: WrittenContent) => string

/** The maker of a response's ETags; `undefined` where it has none, or an example says what it is. */
export function createEtag({ headers }: ResponseRule): MakeEtag | undefined {
  const header = headers.find(({ name }) => name.toLowerCase() === 'etag')
  if (header === undefined || header.examples.length > 0) return undefined
  const form = lazy(() => formOf(header))
  return ({ data }) => form()(etagOf(Buffer.from(data), {}))
}

const number = (tag: string): string => String(hashText(tag) >>> 0)
// RFC 9110 has quotes around it; descriptions may ask for a number, or forget the quotes.
const FORMS: readonly ((tag: string) => string)[] = [
  (tag) => tag,
  (tag) => `W/${tag}`,
  (tag) => `"${number(tag)}"`,
  (tag) => tag.slice(1, -1),
  number,
]

function formOf({ model }: ResponseHeader): (tag: string) => string {
  const checker = createChecker(model)
  const sample = etagOf(Buffer.from(''), {})
  const fits = (text: string): boolean => checker.fits(text) || checker.fits(Number(text))
  return FORMS.find((form) => fits(form(sample))) ?? ((tag) => tag)
}
