import type { CallOutcome } from '../../../engine/call-model.ts'
import { isObject } from '../../../engine/schema/schema.ts'
import type { Call } from '../../calls/call.ts'
import type { ObjectMap } from '../../calls/object-map.ts'
import type { Item } from '../../calls/objects.ts'
import { segmentsOf } from '../endpoints.ts'
import { mapTexts } from '../protocol.ts'

/** The types of a model's objects. */
export const PACKAGES = 'package'
export const USERS = 'user'
export const TOKENS = 'token'

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

/** A package with all of its versions. */
export interface Package extends Item {
  /** Its name. */
  readonly id: string
  readonly versions: Readonly<Record<string, Fields>>
  readonly tags: Readonly<Record<string, string>>
  readonly time: Readonly<Record<string, string>>
  readonly rev: string
  /** What it has besides. */
  readonly more: Fields
  /** Archives by their names, in base64. */
  readonly files: Readonly<Record<string, string>>
}

/** What a registry keeps. */
export interface Store {
  readonly packages: ObjectMap<Item>
  /** By name; a password that is not known yet is the first that is sent. */
  readonly users: ObjectMap<Item>
  /** Whose each token is. */
  readonly tokens: ObjectMap<Item>
}

/** What a recording shows of a registry, apart from what it keeps. */
export interface Learned {
  readonly root: string
  readonly refusals: Readonly<Partial<Record<Reason, { readonly status: number; readonly body: unknown }>>>
  /** What is answered to a change, by its kind, with the status. */
  readonly said: Readonly<Record<string, { readonly status: number; readonly body: unknown }>>
  /** Whether packages are read by those alone who have logged in. */
  readonly isPrivate: boolean
  /** Whose tokens are that were accepted and were given before the recording. */
  readonly before?: string | undefined
  /** Members of packages and of their versions that the server adds, and those of abbreviated ones. */
  readonly ofPackage: Fields
  readonly ofVersion: Fields
  readonly abbreviated: { readonly ofPackage: readonly string[]; readonly ofVersion: readonly string[] }
  /** A list of what a search found. */
  readonly search?: Fields | undefined
  readonly revision: string
  readonly types: Readonly<Record<string, string>>
}

/** A request to a registry. */
export interface RegistryRequest {
  readonly method: string
  /** Below the root, decoded; the scope of a package and its name are one. */
  readonly segments: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: unknown
}

/** A call as a request below a root; `undefined` where it is not below it. */
export function requestOf({ args }: Call, root: string): RegistryRequest | undefined {
  const { method, path, query, headers, body } = args
  if (typeof path !== 'string' || !`${path}/`.startsWith(`${root}/`)) return undefined
  const parts = segmentsOf(path.slice(root.length))
  const at = parts.findIndex((part) => /^@[^/]+$/.test(part))
  const segments =
    at >= 0 && at + 1 < parts.length
      ? [...parts.slice(0, at), `${parts[at]}/${parts[at + 1]}`, ...parts.slice(at + 2)]
      : parts
  return {
    method: String(method),
    segments,
    query: isObject(query) ? query : {},
    headers: (headers ?? {}) as RegistryRequest['headers'],
    body,
  }
}

/** Why a request is refused. */
export type Reason =
  | 'noPackage'
  | 'noVersion'
  | 'noTag'
  | 'noFile'
  | 'versionExists'
  | 'noUser'
  | 'noPublisher'
  | 'unknownToken'
  | 'nobody'
  | 'userExists'
  | 'wrongPassword'

/** A request that is refused. */
export class Refusal extends Error {
  readonly reason: Reason
  /** What it is about, which its answer may repeat: a package, a version or a tag. */
  readonly named: Readonly<Record<string, string>>

  constructor(reason: Reason, named: Readonly<Record<string, string>> = {}) {
    super(reason)
    this.reason = reason
    this.named = named
  }
}

// As Verdaccio has them.
const DEFAULTS: Readonly<Record<Reason, readonly [status: number, error: string]>> = {
  noPackage: [404, 'no such package available'],
  noVersion: [404, "this version doesn't exist: {version}"],
  noTag: [404, "this version doesn't exist: {version}"],
  noFile: [404, 'no such file available'],
  versionExists: [409, 'this package is already present'],
  noUser: [401, 'authorization required to access package {package}'],
  noPublisher: [401, 'authorization required to publish package {package}'],
  unknownToken: [401, 'authorization required'],
  nobody: [401, 'authorization required'],
  userExists: [409, 'username is already registered'],
  wrongPassword: [401, 'unauthorized access'],
}

/** The answer to a refused request, as the recording has it or as it usually is. */
export function refused({ reason, named }: Refusal, { refusals }: Pick<Learned, 'refusals'>): CallOutcome {
  const [status, error] = DEFAULTS[reason]
  const form = refusals[reason] ?? { status, body: { error } }
  return { status: form.status, error: filled(form.body, named) }
}

/** A value whose texts name what they are about, by `{name}`. */
export function filled(value: unknown, named: Readonly<Record<string, string>>): unknown {
  return mapTexts(value, (text) =>
    text.replaceAll(/\{(package|version|user)\}/g, (whole, name: string) => named[name] ?? whole),
  )
}

/** The other way: what a text names stands for itself no more. */
export function unfilled(value: unknown, named: Readonly<Record<string, string>>): unknown {
  return mapTexts(value, (given) => {
    let text = given
    for (const [name, own] of Object.entries(named)) if (own !== '') text = text.replaceAll(own, `{${name}}`)
    return text
  })
}

/** What a package is called in the paths of its archives: its name without the scope. */
export function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
