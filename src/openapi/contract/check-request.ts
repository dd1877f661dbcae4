import type { Operation } from '../../engine/operation.ts'
import { violationAt, type ContractPart, type ContractViolation } from '../../engine/contract-violation.ts'
import { keywordOf } from '../../engine/input-issue.ts'
import { remembered } from '../../engine/lazy.ts'
import type { InputIssue } from '../../errors.ts'
import { createTokenList, hasBasic } from '../../http/credentials.ts'
import type { Awaitable, HttpRequest } from '../../message.ts'
import type { Credential } from '../../pipeline/route.ts'
import { chooseMediaType } from '../serve/choose-media-type.ts'
import { createCredentialReader } from '../serve/credentials.ts'
import { createParameterReader } from '../serve/parameter-reader.ts'
import { createSources, headerOf } from '../serve/parameter-source.ts'
import {
  bodyViolation,
  createBodyCheck,
  isCheckable,
  mediaTypeViolation,
  type BodyFinding,
  type CheckBody,
} from './check-body.ts'

type Params = Readonly<Record<string, string>>

/** Notes that a parameter of an operation has a value. @param index its place among the parameters */
export type NoteParameter = (index: number) => void

/** Looks at the requests of one operation. */
export interface RequestChecker {
  head(request: HttpRequest, hasBody: boolean, params: Params, note: NoteParameter): ContractViolation[]
  /** The declared media type of a body that there is something to see in. */
  mediaTypeOf(request: HttpRequest, hasBody: boolean): string | undefined
  body(request: HttpRequest, bytes: Uint8Array): Awaitable<BodyFinding>
  /** The credentials that it needs and has, in alternatives. */
  credentials(request: HttpRequest): readonly (readonly Credential[])[]
}

/** @param template the path template of the operation's route */
export function createRequestChecker(template: string, operation: Operation): RequestChecker {
  const { parameters, body } = operation
  const namesIn = (place: string): string[] =>
    parameters.filter((each) => each.in === place).map(({ name }) => name)
  const places = { query: namesIn('query'), template }
  const takeApart = createSources(places)
  const takenIn = remembered((place: string) => new Set(namesIn(place)))
  const readers = parameters.map((parameter) => {
    const taken = takenIn(parameter.in)
    // One that is missing is distinguished from one that has its default.
    return { parameter, read: createParameterReader({ ...parameter, required: true }, places, taken) }
  })
  const credentials = createCredentialReader(operation.security)
  const checks = remembered((range: string): CheckBody => {
    const media = body?.content.get(range) ?? { model: undefined, examples: [] }
    return createBodyCheck('request', media)
  })
  const chosen = (request: HttpRequest): ReturnType<typeof chooseMediaType> =>
    body && chooseMediaType(body.content, headerOf(request.headers, 'content-type'))

  return {
    credentials,
    head(request, hasBody, params, note) {
      const violations: ContractViolation[] = []
      if (operation.security.length > 0) violations.push(...securityViolations(credentials(request), request))
      if (readers.length > 0) {
        const sources = takeApart(request, params)
        let issues: InputIssue[] = []
        for (let index = 0; index < readers.length; index++) {
          const { parameter, read } = readers[index] as (typeof readers)[number]
          const value = read(sources, issues)
          const isMissing = isAbsent(issues)
          if (!isMissing && (value !== undefined || issues.length > 0)) note(index)
          if (issues.length === 0) continue
          if (!isMissing || parameter.required) violations.push(...issues.map(parameterViolation))
          issues = []
        }
      }
      if (body === undefined && hasBody)
        violations.push(bodyViolation('request', 'The operation takes no body'))
      else if (body !== undefined && hasBody && chosen(request) === undefined)
        violations.push(
          mediaTypeViolation('request', headerOf(request.headers, 'content-type'), body.content),
        )
      else if (body?.required === true && !hasBody)
        violations.push(bodyViolation('request', 'The operation needs a body'))
      return violations
    },
    mediaTypeOf(request, hasBody) {
      if (!hasBody || body === undefined) return undefined
      const declared = chosen(request)
      const media = declared && body.content.get(declared.range)
      return declared !== undefined && media !== undefined && isCheckable(declared.type, media)
        ? declared.range
        : undefined
    },
    body(request, bytes) {
      const declared = chosen(request)
      if (declared === undefined) return { violations: [] }
      if (bytes.length === 0) {
        const missing = bodyViolation('request', 'The operation needs a body')
        return { violations: body?.required === true ? [missing] : [] }
      }
      const coding = headerOf(request.headers, 'content-encoding') ?? ''
      return checks(declared.range)(bytes, declared.type, coding)
    },
  }
}

function isAbsent([issue, ...others]: readonly InputIssue[]): boolean {
  return issue !== undefined && others.length === 0 && issue.type === 'missing' && issue.loc.length === 2
}

function parameterViolation({ type, loc, msg }: InputIssue): ContractViolation {
  const [part, ...path] = loc
  return violationAt('request', part as ContractPart, path, keywordOf(type), msg)
}

const ANY_TOKEN = createTokenList([])

function securityViolations(
  alternatives: readonly (readonly Credential[])[],
  { headers }: HttpRequest,
): ContractViolation[] {
  const authorization = headerOf(headers, 'authorization') ?? ''
  const isMet = (each: Credential): boolean => {
    if (each.kind === 'apiKey') return (each.value ?? '') !== ''
    return each.kind === 'basic' ? hasBasic(authorization) : ANY_TOKEN.has(authorization)
  }
  if (alternatives.some((all) => all.every(isMet))) return []
  const needs = alternatives.map((all) => all.map(nameOf).join(' and ')).join(', or ')
  return [violationAt('request', 'security', [], 'security', `Credentials are missing: ${needs}`)]
}

function nameOf(credential: Credential): string {
  if (credential.kind === 'apiKey') return `an API key in ${credential.place}`
  return credential.kind === 'basic' ? 'Basic credentials' : 'a bearer token'
}
