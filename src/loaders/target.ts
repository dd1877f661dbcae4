import type { FastifyInstance } from 'fastify'
import type { Overrides, SimAPI } from '../api.ts'
import type { KnownAnswer } from '../engine/known-answer.ts'
import type { SimOptions } from '../options/app-options.ts'

/** What a command's target holds: an app of declared routes, or a web app that is served as it is. */
export type Target =
  ({ readonly kind: 'api' } & LoadedApi) | { readonly kind: 'web'; readonly app: FastifyInstance }

/** An app of declared routes, and what was found while it was loaded. */
export interface LoadedApi {
  readonly api: SimAPI
  /** What kind of document it is, and how much there is of it: `OpenAPI 3.1 description, 12 operations`. */
  readonly document?: string
  /** What a document gets wrong and is served nevertheless, one line each, with file and line. */
  readonly problems: readonly string[]
  /** What a description says that is not simulated, each with its kind and name. */
  readonly notes?: readonly string[]
  /** The files that the app was read from, the target itself first. */
  readonly files: readonly string[]
  /** Options that it is served with in place of its own. */
  readonly overrides?: Overrides
}

/** What a document gives: an app, what is wrong with it, and the other files that it was read from. */
export type LoadedDocument = Pick<LoadedApi, 'api' | 'document' | 'problems' | 'notes'> & {
  readonly files?: readonly string[]
}

/** How a target is loaded. */
export interface LoadOptions {
  /** Execute a module again, even if it was loaded before. */
  readonly fresh?: boolean
  /** Execute a module again, and all that it imports by relative paths. */
  readonly reload?: boolean
  /** Refuse a document that gets anything wrong. */
  readonly strict?: boolean
  /** Check a document against its format's own rules too, which takes a while for a large one. */
  readonly thorough?: boolean
  /** Answers that routes know, by the path that a file of routes has for them; they are not read from there. */
  readonly answers?: ReadonlyMap<string, readonly KnownAnswer[]>
  /** Options that win over the document's own. A module makes its app itself. */
  readonly options?: Overrides
}

/** How a document is loaded. */
export interface DocumentOptions extends LoadOptions {
  /** Options of the config file, which the document's own win over. */
  readonly defaults: SimOptions
}

/** The options that have a value. */
export function given<Options extends object>(options: Options): Partial<Options> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Partial<Options>
}
