import { FILE_FACTS, isKnown } from '../../../collections/files/file-facts.ts'
import type { FileAnswer, FileOutcome } from '../../../engine/file-option.ts'
import { countEach, groupBy } from '../../../grouping.ts'
import { type BodyTemplate, bodyTemplate } from './answer-template.ts'
import { templateOf } from './answer-text.ts'
import type { FileRule } from './file-rule.ts'
import { withKnownBytes } from './file-writes.ts'

import { DONE, type Played } from './play-outcomes.ts'

/** What says nothing of a file, or follows from the rest. */
const LEFT_OUT =
  /^(date|server|via|age|connection|keep-alive|transfer-encoding|trailer|upgrade|content-(length|type|encoding|range)|vary|set-cookie|x-(powered-by|amz-request-id|amz-id-2|request-id))$/

/** What exchanges that came to the same were answered with, by what was known then. */
export function answerIn(rule: FileRule, outcome: FileOutcome, all: readonly Played[]): FileAnswer {
  const counts = countEach(all.map(({ recorded }) => recorded.status))
  const [[status] = [200]] = [...counts].toSorted(([, a], [, b]) => b - a)
  const own = withKnownBytes(all.filter(({ recorded }) => recorded.status === status))
  const names = namesFor(own)
  const headers = [
    ...groupBy(
      own.flatMap(({ recorded }) => Object.keys(recorded.answered.headers)),
      (name) => name,
    ),
  ]
    .filter(([name]) => !LEFT_OUT.test(name))
    .flatMap(([name, times]): [string, string][] => {
      const given = own.flatMap(({ recorded, facts }) => {
        const values = recorded.answered.headers[name]
        return values === undefined ? [] : [{ text: values.join(', '), facts }]
      })
      const lacking = own.filter(({ recorded }) => recorded.answered.headers[name] === undefined)
      const isKept = own.every(({ result }) => result.file?.headers[name] !== undefined)
      const template =
        isKept && rule.options.action === 'get'
          ? undefined
          : ofMost(given, (some) => templateOf(some, { names, place: name }))
      if (template === undefined) return []
      // Without one of its facts a header is not given.
      const isDecided = lacking.every(({ facts }) => !isKnown(template, facts))
      return isDecided || times.length * 2 > own.length ? [[name, template]] : []
    })
  const types = new Set(own.map(({ recorded }) => recorded.answered.headers['content-type']?.[0] ?? ''))
  const [type = ''] = types
  const common = {
    status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  }
  if (rule.options.action === 'get' && DONE.includes(outcome)) {
    const isOwn = types.size > 1 || own.every(({ result }) => result.file?.type === type)
    return isOwn ? common : { ...common, type }
  }
  // What these say is written from what is there.
  if (/^(properties|change|report)$/.test(rule.options.action) && DONE.includes(outcome))
    return { ...common, ...(type !== '' && { type }) }
  const withBody = own.filter(
    ({ recorded }) => recorded.method !== 'HEAD' && recorded.answered.bytes !== undefined,
  )
  const body = bodyOf(withBody, names)
  return {
    ...common,
    ...(types.size === 1 && type !== '' && { type }),
    ...(body !== undefined && body.text !== '' && body),
  }
}

const MAX_COMPARED = 30

function bodyOf(played: readonly Played[], names: readonly string[]): BodyTemplate | undefined {
  const given = played
    .map(({ recorded, facts }) => ({
      text: recorded.answered.bytes?.toString() ?? '',
      type: recorded.answered.type,
      facts,
    }))
    .toSorted((a, b) => b.text.length - a.text.length)
    .slice(0, MAX_COMPARED)
  return ofMost(given, (some) => bodyTemplate(some, names))
}

// A server may now and then answer otherwise: what most of its answers have in common is its template.
function ofMost<Given, Template>(
  given: readonly Given[],
  templateOf: (some: readonly Given[]) => Template | undefined,
): Template | undefined {
  const whole = templateOf(given)
  if (whole !== undefined || given.length < 3) return whole
  let left = given.slice(0, MAX_COMPARED)
  const half = left.length / 2
  while (left.length > half) {
    const kept: Given[] = []
    for (const each of left) if (templateOf([...kept, each]) !== undefined) kept.push(each)
    if (kept.length > half) return templateOf(kept)
    if (kept.length === 0) return undefined
    left = left.filter((each) => !kept.includes(each))
  }
  return undefined
}

function namesFor(own: readonly Played[]): readonly string[] {
  const params = new Set(own.flatMap((each) => each.params))
  const queries = new Set(
    own.flatMap(({ recorded }) => [...new URLSearchParams(recorded.url.split('?')[1]).keys()]),
  )
  const headers = own.flatMap(({ recorded }) =>
    Object.keys(recorded.headers).filter((name) => SAYING.test(name)),
  )
  const kept = own.flatMap(({ result }) => Object.keys(result.file?.headers ?? {}))
  const found = ['key', ...params, ...FILE_FACTS, ...queries, ...new Set(kept)]
  const requested = [...new Set(headers)].map((name) => `header.${name}`)
  return [...found, ...requested, 'destination', 'href', 'path', 'method']
}

const SAYING = /^(range|upload-.*|content-md5|x-amz-copy-source)$/
