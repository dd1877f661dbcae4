import { violationText, type ContractViolation } from '../../engine/contract-violation.ts'
import { textFile } from '../../data-files/text-file.ts'
import { lazy } from '../../engine/lazy.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import type { Log } from '../../http/log.ts'
import type { CheckedRequest, Contract } from '../../pipeline/contract.ts'
import type { Redactor } from '../../recording/redaction/redactor.ts'
import { createRouter, type RouteMatch, type Router } from '../../routing/router.ts'
import { toOpenApi } from '../export/to-openapi.ts'
import { importDescription } from '../import/import-description.ts'
import { createOperations, type DescribedOperation } from './described-operation.ts'
import { coverageReport, GENERATED, type CoverageReport } from './coverage-report.ts'
import { ExchangeCheck, type CheckHost } from './exchange-check.ts'

/** What exchanges are checked against, and what is done about what is found. */
export interface ContractOptions {
  /** Those of descriptions are checked as these say; others as the description that `/openapi.json` has of them. */
  readonly routes: readonly RouteDefinition[]
  readonly isEnforced: boolean
  readonly bodyLimit: number
  /** Whether the gateway serves pages of its own about what it declares. */
  readonly hasPages: boolean
  readonly redactor: Redactor
  readonly log: Log
}

/** A contract, and what was seen of it. */
export interface OpenContract extends Contract {
  /** How many violations, by side and rule. */
  readonly violations: ReadonlyMap<string, ViolationCount>
  coverage(): CoverageReport
  /** Forgets what was seen. */
  clear(): void
}

/** How often one rule was broken. */
export interface ViolationCount {
  readonly side: ContractViolation['side']
  readonly rule: string
  count: number
}

type Found = RouteMatch<RouteDefinition>

/** The contract that routes are. */
export function createContract(options: ContractOptions): OpenContract {
  const { isEnforced, bodyLimit, redactor, log } = options
  const described = lazy(() => describedRoutes(options.routes))
  const router = lazy((): Router<RouteDefinition> => createRouter(described()))
  const bases = lazy(() =>
    [...new Set(described().map(({ operation }) => operation?.basePath ?? ''))].filter(Boolean),
  )
  let operationOf = createOperations()
  const violations = new Map<string, ViolationCount>()

  const find = (request: CheckedRequest): Found | undefined => {
    if (request.match?.route.operation !== undefined) return request.match
    const found = router().match(request)
    if (found !== undefined) return found
    // What the description has below its server's path, clients may request without it.
    for (const base of bases()) {
      const below = router().match({ ...addressOf(request), path: `${base}${request.path}` })
      if (below !== undefined) return below
    }
    return undefined
  }
  let last: Parameters<CheckHost['flat']>[0] = []
  let lastFlat: readonly string[] = []
  const host: CheckHost = {
    flat(pairs) {
      if (pairs !== last) [last, lastFlat] = [pairs, pairs.flat()]
      return lastFlat
    },
    isEnforced,
    bodyLimit,
    allowed: (request) =>
      router()
        .allowed(addressOf(request))
        .filter((method) => method !== 'OPTIONS'),
    violated(violation, request, operation) {
      const { side, rule } = violation
      const key = `${side} ${rule}`
      const known = violations.get(key) ?? { side, rule, count: 0 }
      known.count++
      violations.set(key, known)
      const name = operation ?? `${request.method} ${redactor.url(request.path)}`
      log.warn({ violation, request: request.id }, `${name} is not as described: ${violationText(violation)}`)
    },
    left(reason, { id }, operation) {
      // What was checked and what was not is to be seen without looking at each request.
      log.warn({ unchecked: reason, request: id }, `${operation} is not checked in full: ${reason}`)
    },
  }
  return {
    isEnforced,
    bodyLimit,
    violations,
    begin(request, hasBody) {
      const found = find(request)
      if (found === undefined && options.hasPages && PAGES.has(request.path)) return undefined
      const operation: DescribedOperation | undefined = found && operationOf(found.route)
      return new ExchangeCheck(host, request, hasBody, operation, found?.params ?? {})
    },
    coverage() {
      const total = [...violations.values()].reduce((sum, { count }) => sum + count, 0)
      return coverageReport(described().map(operationOf), isEnforced ? 'enforce' : 'report', total)
    },
    clear() {
      operationOf = createOperations()
      violations.clear()
    },
  }
}

const PAGES: ReadonlySet<string> = new Set(['/docs', '/openapi.json'])

function addressOf({ method, scheme, host, path, search, headers, content }: CheckedRequest): CheckedRequest {
  return { method, scheme, host, path, search, headers, content } as CheckedRequest
}

// What code or a file of routes declares is described as `/openapi.json` has it.
function describedRoutes(routes: readonly RouteDefinition[]): readonly RouteDefinition[] {
  const own = routes.filter(({ operation }) => operation !== undefined)
  const others = routes.filter(({ operation }) => operation === undefined)
  if (others.length === 0) return own
  const document = JSON.stringify(toOpenApi(others, {}))
  return [...own, ...importDescription(textFile(GENERATED, document)).routes]
}
