import type { Input } from '../../engine/input.ts'
import type { ListShape } from '../../engine/list-shape.ts'
import type { HttpRequest } from '../../message.ts'
import type { Need } from '../../state/store.ts'
import type { PageFacts } from './page-fields.ts'
import type { Listed } from './page-links.ts'

/** One page, as an answer. */
export interface Page {
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** What is true of it; absent where the answer is not a page. */
  readonly facts?: PageFacts
}

/** Answers with pages of a list, as the parameters and the model of an operation ask for them. */
export interface Pager {
  readonly shape: ListShape
  /** Whether requests can ask for a part of the list; otherwise every answer is the whole. */
  readonly isPaged: boolean
  /** Whether the answer is about its list, and not an item that has one among other things. */
  readonly isAboutList: boolean
  /** Whether answers say beside their list how many items there are, or the like. */
  readonly saysHowMany: boolean
  /** Whether a `Link` header names further pages. */
  readonly hasLink: boolean
  /** Items on a page whose request does not say. */
  readonly usualSize: number
  /** The parameters that say which page is wanted. */
  readonly names: ReadonlySet<string>
  /** The input without what says which page is wanted: all pages are of one list. */
  withoutPage(input: Input): Input
  /** Whether a request says which page it wants, or how long. */
  asks(call: HttpRequest): boolean
  /** Whether a request gets the first page, and does not say how long it is to be. */
  isFirst(call: HttpRequest, input: Input): boolean
  /** The stored items that the page is made of. */
  need(input: Input, call: Pick<HttpRequest, 'search'>): Need
  /** The page that an input asks for. `envelope` is the answer around the list, where the list is not all of it. */
  page(call: HttpRequest, input: Input, listed: Listed, envelope: Readonly<Record<string, unknown>>): Page
}
