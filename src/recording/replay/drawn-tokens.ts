/** Text with its drawn tokens left out, and these in the order in which they come. */
export interface AroundTokens {
  readonly text: string
  readonly tokens: readonly string[]
}

/** UUIDs, times, long words in which there are signs of all kinds (nanoid, base64url), and other words and numbers. */
const RUN =
  /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)|(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])(?=[\w-]*\d)[\w-]{20,}|[0-9A-Za-z]{6,}/g
const NUMBER = /^\d+$/
/** Seconds, milliseconds, microseconds or nanoseconds since 1970, of this century. */
const EPOCH = /^[A-Za-z]*1\d{9}(?:\d{3}){0,3}[A-Za-z]*$/
const LONG = 16
const MIN_CHANGES = 2

/**
 * A text with other tokens in place of drawn ones.
 * @param by gives the other, or nothing for a token that stays
 * @param note called with each that was replaced
 */
export function replaceDrawn(
  text: string,
  by: (token: string) => string | undefined,
  note?: (at: number, was: string, is: string) => void,
): string {
  return text.replaceAll(RUN, (run, at: number) => {
    const is = isDrawn(run) ? by(run) : undefined
    if (is !== undefined) note?.(at, run, is)
    return is ?? run
  })
}

/** The texts within a text that clients and test suites draw for each run, or make of the time. */
export function aroundDrawn(text: string): AroundTokens {
  const tokens: string[] = []
  const around = replaceDrawn(text, (token) => {
    tokens.push(token)
    return '\0'
  })
  return { text: around, tokens }
}

function isDrawn(run: string): boolean {
  if (NUMBER.test(run) || EPOCH.test(run)) return EPOCH.test(run)
  if (run.length >= LONG && /\d/.test(run)) return true
  return changesIn(run) >= MIN_CHANGES || hasMixedCase(run)
}

/** How often letters and digits follow one another. */
function changesIn(run: string): number {
  return run.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0
}

// Words begin with capitals, and have few of them.
function hasMixedCase(run: string): boolean {
  const share = run.replaceAll(/[^A-Z]/g, '').length / run.length
  return run.length >= LONG && share > 0.25 && share < 0.75
}
