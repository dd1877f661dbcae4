import { ALPHABETS, readIdTemplate } from '../../collections/id-template.ts'
import { hasMixedCase, isUuid } from '../../shape/made-values.ts'

/** The words that one part of ids is drawn from, at most. */
const MAX_WORDS = 40
/** Signs that are drawn come in such numbers. */
const MIN_SIGNS = 4
/** Signs that one id alone shows to be drawn are as many. */
const MIN_DRAWN = 12
/** Fewer are enough where digits and letters in both cases are in no order. */
const MIN_MIXED = 8

/**
 * The template of the ids that a server makes, as `item.ids` of a route has it; `undefined` where its usual ids are as
 * good: whole numbers from 1, and UUIDs.
 * @param made the ids of what was made, in their order, of each collection
 * @param others of what was there before
 */
export function learnIds(
  made: readonly (readonly string[])[],
  others: readonly string[],
): string | undefined {
  const own = made.flat()
  const all = [...own, ...others]
  if (own.length === 0 || all.every(isUuid)) return undefined
  if (all.length < 2) return templateOfOne(own[0] ?? '')
  const found = templateOf(made, others) ?? drawnAlike(all)
  // What was there before may have been given other ids than a server makes, as by hand.
  return found ?? (others.length > 0 && own.length > 1 && !own.every(isUuid) ? drawnAlike(own) : undefined)
}

// One number says where they begin, and signs that can only be drawn are apart from what stands before them.
function templateOfOne(id: string): string | undefined {
  if (/^[1-9]\d{0,14}$/.test(id)) return id === '1' ? undefined : `{${id}}`
  const [, kind = '', drawn = ''] = /^([A-Za-z]+[-_.:])?([0-9A-Za-z]+)$/.exec(id) ?? []
  const isMixed = hasMixedCase(drawn)
  const isShort =
    drawn.length < MIN_DRAWN && !(isMixed && drawn.length >= MIN_MIXED && /\d[A-Za-z]/.test(drawn))
  const areDrawn = !isShort && (areLetters([drawn]) || [/[A-Za-z]/, /\d/].every((signs) => signs.test(drawn)))
  return areDrawn && (isMixed || /^[0-9a-f]+$/.test(drawn)) && signsOf([drawn]) !== undefined
    ? `${kind}${signsOf([drawn])}`
    : undefined
}

function templateOf(made: readonly (readonly string[])[], others: readonly string[]): string | undefined {
  const own = made.flat()
  const all = [...own, ...others]
  const columns = columnsOf(all.map(splitId))
  const parts = columns?.map((values, at) => {
    const isSame = values.every((value) => value === values[0])
    const runs = made.map((ids) => ids.map((id) => splitId(id)[at] ?? ''))
    return isSame
      ? values[0]
      : (counterOf(runs, values.slice(own.length)) ?? signsOf(values) ?? wordsOf(values))
  })
  if (parts === undefined || parts.includes(undefined)) return undefined
  const template = parts.join('')
  // Words alone are rather those of a request.
  const isServers = /\{(\d+|\w+ \d+)\}/.test(template) && template !== '{1}'
  return isServers && readIdTemplate(template) !== undefined ? template : undefined
}

// Whole ids may be of signs that else stand between parts.
function drawnAlike(ids: readonly string[]): string | undefined {
  // Of some that are drawn, all letters are in one case by chance.
  const mixed = ids.filter((id) => /[A-Z]/.test(id) && /[a-z]/.test(id))
  return mixed.length * 2 >= ids.length && !ids.some(isUuid) ? signsOf(ids) : undefined
}

// At signs between its parts, and before a number at its end.
function splitId(id: string): readonly string[] {
  return id.split(/([-_.:~|/]|(?<=[A-Za-z])(?=\d+$)(?<=^[A-Za-z]+))/)
}

function columnsOf(rows: readonly (readonly string[])[]): readonly (readonly string[])[] | undefined {
  const [first = []] = rows
  const isAlike = rows.every(
    (row) => row.length === first.length && row.every((part, at) => at % 2 === 0 || part === first[at]),
  )
  return isAlike ? first.map((_, at) => rows.map((row) => row[at] ?? '')) : undefined
}

// Numbers that mostly count on by one, in every collection from the same one, and are above all that were there.
function counterOf(runs: readonly (readonly string[])[], before: readonly string[]): string | undefined {
  const counting = runs.filter((run) => run.length > 0)
  const [[first] = []] = counting
  if (first === undefined || !counting.every((run) => run[0] === first)) return undefined
  const steps = counting.flatMap((run) => run.slice(1).map((value, at) => Number(value) - Number(run[at])))
  const isCounted =
    [...counting.flat(), ...before].every((value) => /^\d{1,15}$/.test(value)) &&
    steps.every((step) => step > 0) &&
    steps.filter((step) => step === 1).length * 2 >= steps.length &&
    before.every((value) => Number(value) < Number(first))
  return isCounted ? `{${first}}` : undefined
}

function signsOf(values: readonly string[]): string | undefined {
  const [{ length } = ''] = values
  const isDrawn =
    values.every((value) => value.length === length) &&
    (values.some((value) => /\d/.test(value)) || areLetters(values))
  if (length < MIN_SIGNS || !isDrawn) return undefined
  const found = Object.entries(ALPHABETS).find(([, signs]) =>
    values.every((value) => value.split('').every((sign) => signs.includes(sign))),
  )
  return found && `{${found[0]} ${length}}`
}

// Letters may be all that is drawn by chance: then they are in no order.
function areLetters(values: readonly string[]): boolean {
  return values.every(
    (value) => value.length >= MIN_DRAWN && /^[A-Za-z]+$/.test(value) && hasMixedCase(value),
  )
}

function wordsOf(values: readonly string[]): string | undefined {
  const words = [...new Set(values)].toSorted()
  const areWords = words.every((word) => /^[A-Za-z]+$/.test(word)) && words.length < values.length
  return areWords ? `{${words.slice(0, MAX_WORDS).join('|')}}` : undefined
}
