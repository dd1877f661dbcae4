import { readBearer } from '../http/credentials.ts'
import { createGlob, type Glob } from '../routing/glob.ts'
import { fail } from './failure.ts'

/** `disabled` ignores credentials, `optional` takes any bearer token or none, `strict` those that are declared. */
export type AuthMode = 'disabled' | 'optional' | 'strict'

/** A token of strict mode, and what it opens. */
export interface DeclaredToken {
  readonly token: string
  readonly user?: string
  /** The scopes it has; `*` for all. Default: all. */
  readonly scopes?: readonly string[]
  /** Globs over the resources it may use, such as `ontologies/acme/**`. Default: all. */
  readonly grants?: readonly string[]
}

/** What a denial hook decides on. */
export interface DenialQuestion {
  readonly operation: { readonly id: string; readonly method: string; readonly path: string }
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly credentials: Credentials
}

/** Who may request what. */
export interface AuthOptions {
  /** Default: `optional`. */
  readonly mode?: AuthMode
  /** The tokens of strict mode; in others they give their users a name. */
  readonly tokens?: readonly DeclaredToken[]
  /** Denies a request by `true` or by a reason; called in every mode but `disabled`. */
  readonly deny?: (request: DenialQuestion) => boolean | string | undefined
}

/** What is known of the caller. */
export interface Credentials {
  /** The bearer token; absent when none was sent, or none counts. */
  readonly token: string | undefined
  readonly user: string | undefined
  hasScope(scope: string): boolean
  isGranted(resource: string): boolean
}

/** Reads credentials by the mode in force. */
export interface Authenticator {
  /** Whether a token may come at all, though perhaps not for everything. */
  recognizes(token: string): boolean
  /** Raises the failures `no-credentials` and `bad-credentials`. @param isOpen whether all may call */
  authenticate(authorization: string | undefined, isOpen: boolean): Credentials
  /** Raises the failures `missing-scope` and `denied`. */
  check(request: DenialQuestion, scopes: readonly string[]): void
}

const ALL = (): boolean => true

/** The authenticator of an adapter. */
export function createAuthenticator(auth: AuthMode | AuthOptions = {}): Authenticator {
  const { mode = 'optional', tokens = [], deny } = typeof auth === 'string' ? { mode: auth } : auth
  const declared = new Map(tokens.map((each) => [each.token, toCredentials(each)]))

  return {
    recognizes: (token) => mode !== 'strict' || declared.has(token),
    authenticate(authorization, isOpen) {
      if (mode === 'disabled' || (isOpen && authorization === undefined)) return anyone(undefined)
      if (authorization === undefined)
        return mode === 'strict' ? fail({ kind: 'no-credentials' }) : anyone(undefined)
      const token = readBearer(authorization)
      const known = token === undefined ? undefined : declared.get(token)
      if (known !== undefined) return known
      if (token === undefined || mode === 'strict')
        return isOpen ? anyone(undefined) : fail({ kind: 'bad-credentials' })
      return anyone(token)
    },
    check(request, scopes) {
      if (mode === 'disabled') return
      const missing = scopes.find((scope) => !request.credentials.hasScope(scope))
      if (missing !== undefined) fail({ kind: 'missing-scope', scope: missing })
      const denial = deny?.(request) ?? false
      if (denial === false) return
      fail({
        kind: 'denied',
        operation: request.operation.id,
        ...(typeof denial === 'string' && { reason: denial }),
      })
    },
  }
}

function anyone(token: string | undefined): Credentials {
  return { token, user: undefined, hasScope: ALL, isGranted: ALL }
}

function toCredentials({ token, user, scopes, grants }: DeclaredToken): Credentials {
  const globs: readonly Glob[] | undefined = grants?.map(createGlob)
  return {
    token,
    user,
    hasScope: scopes === undefined || scopes.includes('*') ? ALL : (scope) => scopes.includes(scope),
    isGranted: globs === undefined ? ALL : (resource) => globs.some((fits) => fits(resource)),
  }
}
