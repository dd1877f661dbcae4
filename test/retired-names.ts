import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '..')

/** Words and phrases that a newcomer would have to learn, and what is said instead. */
export const RETIRED: Readonly<Record<string, RegExp>> = {
  'lane (plan, direct entry)': word('lanes?'),
  'whole way (pipeline)': /\bwhole way\b/gi,
  'plain question (simple GET)': /\bplain questions?\b/gi,
  'befall (inject, happen to)': word('befall(?:s|en|ing)?|befell'),
  'ways in (entries)': /\bways? in\b(?! which)|(?<![A-Za-z])[wW]ayIn|\bwayOf\b|\bways-in\b/g,
  'visit (exchange, walk)': word('visit(?:s|ed|ing|or|ors)?'),
  'room (capacity, space)': word('rooms?'),
  'tell (say, report, notify)': word('tells?|telling'),
  'told (said, configured, notified)': word('told'),
  'asked (requested)': word('asked'),
  'come by (pass, arrive)': /\b(?:comes?|came|coming) by\b/gi,
  'X is no Y (is not a)':
    /(?<!\bthere )(?<!\bThere )\b(?:is|are) no (?!longer\b|more\b|other\b|such\b)(?=[a-zA-Z])/g,
  'MOST_, USUAL_ (MAX_, DEFAULT_)': /\b(?:MOST|LEAST|USUAL)_[A-Z]/g,
  'old type names': identifiers(
    'RouteLane PlainAnswerer RecordedAnswers Answerer Answerers openAnswerers registerChain ChainDefaults ChainState',
    'AnswerTo Interception Room UnderWay World Worlds Gatekeeper Throttle Noted NotedDirect Telling Asked',
    'Equipment DescribedStateful ReadUser WayIn',
  ),
  'old function names': identifiers(
    'visitOf placeOf meetChaos wayOf checkHead noteLastRequest refuseRest joinSockets createIntercepts noteVisit',
    'gatherHidden squeeze inForce useRedaction switchProtocol hasSome isOverfull',
  ),
  'old file names':
    /\b(?:place-of|exchange-tap|peek-body|calm-gateway|item-shower|item-maker|direct-lane|forward-lane)\b/g,
}

/** Names of libraries and of a server's methods, an alias that stays public until 1.0, and the words of a vendor's message. */
const KEPT =
  /visitorKeys|visitRegExpAST|JSONVisitor|\(\)\.visit\b|\bexport type Visit<|^ {2}Visit,$|\(asked: |\btell(?:Status|Waiting|Active|Stopped)\b/gm

/** A word by itself and as a part of a name: `lane`, `forwardLane`, `LANE_WIDTH`, `RouteLanes`. */
function word(forms: string): RegExp {
  const capital = forms.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())
  return new RegExp(
    `(?<![A-Za-z])(?:${forms}|${capital}|${forms.toUpperCase()})(?![a-z])|(?<=[a-z0-9])(?:${capital})(?![a-z])`,
    'g',
  )
}

function identifiers(...names: string[]): RegExp {
  return new RegExp(`\\b(?:${names.join(' ').replaceAll(' ', '|')})\\b`, 'g')
}

/** What people read; not what machines wrote, and not what was said of earlier versions. */
export function filesToRead(): string[] {
  const places = ['src', 'plugins', 'adapters', 'docs', 'test', 'bench', 'examples', 'config', '*.md']
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...places], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((name) => /\.(?:ts|mts|mjs|md)$|sim\.schema\.json$/.test(name))
    .filter(
      (name) =>
        !name.endsWith('CHANGELOG.md') && name !== 'test/names.test.ts' && name !== 'test/retired-names.ts',
    )
}

/** How often each retired word is in a text. */
export function countIn(text: string): Record<string, number> {
  const read = text.replace(KEPT, '')
  return Object.fromEntries(
    Object.entries(RETIRED).map(([name, pattern]) => [name, [...read.matchAll(pattern)].length]),
  )
}
