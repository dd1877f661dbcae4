/** A call as it was made; its text is made when it is looked at. */
export interface CallSite {
  readonly stack?: string
}

/** Who called a function, and who called that one. @param callee what was called */
export function callSiteOf(callee: (...args: never[]) => unknown): CallSite {
  const { stackTraceLimit } = Error
  const site: CallSite = {}
  Error.stackTraceLimit = 2
  Error.captureStackTrace(site, callee)
  Error.stackTraceLimit = stackTraceLimit
  return site
}
