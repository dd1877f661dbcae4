import { compareTexts, countEach } from '../../grouping.ts'
import type { InferredRoute } from './infer-route.ts'
import { byPlace, placeOfRoute } from './to-route-file.ts'
import type { Inference } from './infer-routes.ts'

/** How the exchanges of a route are answered. */
export interface RouteProof {
  /** Method and path, after a host if it has one. */
  readonly route: string
  readonly exchanges: number
  /** Those that the rules answer alike by themselves, but for ids and times that a server makes up. */
  readonly byRule: number
  /** Those of them whose rule, such as a constant or an entry of a table, no other exchange shows. */
  readonly shownOnce: number
  /** Those whose answers are kept as they were recorded. */
  readonly asRecorded: number
  /** What differs in those that are not answered as they were recorded. */
  readonly unlike: readonly string[]
}

/** How much of a recording the rules answer, from 0 to 1. */
export function shareByRule(proofs: readonly RouteProof[]): number {
  return shareOf(proofs, ({ byRule }) => byRule)
}

function shareOf(proofs: readonly RouteProof[], countOf: (proof: RouteProof) => number): number {
  const sum = (of: (proof: RouteProof) => number): number => proofs.reduce((all, each) => all + of(each), 0)
  const all = sum(({ exchanges }) => exchanges)
  return sum(countOf) / Math.max(1, all)
}

/**
 * What was inferred, from how many exchanges, and what a person should look at, as Markdown.
 * @param conflicts where a person's edit was kept and now differs from what is inferred
 */
export function reportOf(
  { routes: found, resources, skipped }: Inference,
  recording: string,
  proofs: readonly RouteProof[],
  conflicts: readonly string[] = [],
): string {
  const routes = found.toSorted(byPlace)
  const total = routes.reduce((sum, { samples }) => sum + samples.length, 0)
  const proofOf = (route: InferredRoute): RouteProof | undefined =>
    proofs.find((each) => `\`${each.route}\`` === nameOf(route))
  const notes = [
    ...conflicts.map((conflict) => `- kept as it was edited, though now it would differ: ${conflict}`),
    ...proofs.flatMap(({ route, unlike }) =>
      unlike
        .slice(0, MAX_SHOWN)
        .map((differs) => `- \`${route}\`: not answered as it was recorded: ${differs}`),
    ),
    ...routes.flatMap((route) => {
      const all = [...route.doubts, ...keptNotes(proofOf(route))]
      return all.map((doubt) => `- ${nameOf(route)}: ${doubt}`)
    }),
    ...[...skipped]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .map(([reason, count]) => `- ${count} exchanges left out: ${reason}`),
  ]
  const collections = resources.map(({ host = '', path, seeds, confirmed, contradicted }) => {
    const seeded = [...seeds.values()].reduce((sum, items) => sum + items.length, 0)
    return [`\`${host}${path}\``, seeded, confirmed, contradicted] as const
  })
  return [
    `# What was inferred from ${recording}`,
    `${routes.length} routes from ${total} exchanges. ${sharesOf(proofs).join(' ')}`,
    ...table(
      'Routes',
      ['route', 'exchanges', 'by a rule', 'of these shown once', 'as recorded', 'statuses', 'answers'],
      routes.map((route) => {
        const { exchanges, byRule, shownOnce, asRecorded } = proofOf(route) ?? NO_PROOF
        const counts = [exchanges || route.samples.length, byRule, shownOnce, asRecorded]
        return [nameOf(route), ...counts, statusesOf(route), formOf(route)]
      }),
    ),
    'An exchange is answered *by a rule* if its route gives the recorded answer without knowing it: from what is stored, from the request, or from its other answers. *Shown once* are those of them whose rule no other exchange shows, such as the only request of a route. *As recorded* are the answers that are kept in `answers/` for the requests that got them; ids and times are kept there too where later requests name them.',
    ...table(
      'Links',
      ['route', 'field', 'is taken from', 'seen in', 'different values'],
      routes.flatMap(linkRows),
      'No field was found that answers take from requests.',
    ),
    ...table(
      'Answers from fixtures',
      ['route', 'chosen by', 'answers', 'seen in', 'came again'],
      routes.flatMap(fixtureRows),
      'No route was seen to have only a few answers.',
    ),
    ...table(
      'Pages',
      ['route', 'requested by', 'stated by', 'items seen', 'of', 'seen in'],
      routes.flatMap(pageRows),
      'No list was seen to be answered in pages.',
    ),
    ...table(
      'Collections',
      ['collection', 'there from the start', 'confirmed by later answers', 'contradicted'],
      collections.toSorted(([a], [b]) => compareTexts(a, b)),
      'No collection was seen to answer what was done to it.',
    ),
    '## Please look at',
    notes.length === 0 ? 'Nothing in particular.' : notes.join('\n'),
    '',
  ].join('\n\n')
}

const MAX_SHOWN = 5
const NO_PROOF = { exchanges: 0, byRule: 0, shownOnce: 0, asRecorded: 0 }

/** How the exchanges of a recording are answered, in sentences. */
function sharesOf(proofs: readonly RouteProof[]): readonly string[] {
  const once = shareOf(proofs, ({ shownOnce }) => shownOnce)
  return [
    `${percent(shareByRule(proofs))} of them are answered by a rule, which answers other requests too${once === 0 ? '.' : `, ${percent(once)} by one that a single exchange shows.`}`,
    'The rest is given as it was recorded.',
  ]
}

// What no rule gives is right for the recorded requests alone.
function keptNotes(proof: RouteProof | undefined): readonly string[] {
  if (proof === undefined || proof.byRule === proof.exchanges) return []
  const { exchanges, byRule } = proof
  const kept = exchanges - byRule
  return [
    `no rule gives ${kept} of its ${exchanges} answers: only the recorded requests get them, and others what is nearest; record more of this kind, or edit the route`,
  ]
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`
}

type Row = readonly (string | number)[]

function table(title: string, heads: Row, rows: readonly Row[], otherwise?: string): string[] {
  const line = (cells: Row): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
  const lines = [line(heads), line(heads.map(() => '---')), ...rows.map(line)]
  return [`## ${title}`, rows.length === 0 && otherwise !== undefined ? otherwise : lines.join('\n')]
}

function nameOf(route: InferredRoute): string {
  return `\`${route.method} ${placeOfRoute(route)}\``
}

function formOf({ output, fixtures }: InferredRoute): string {
  const type = fixtures?.model?.['contentMediaType']
  if (typeof type === 'string') return type
  return `${output?.form ?? 'nothing'}${fixtures === undefined ? '' : ', as recorded'}`
}

function statusesOf({ samples }: InferredRoute): string {
  return [...countEach(samples.map(({ status }) => status))]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')
}

function linkRows(route: InferredRoute): Row[] {
  const name = nameOf(route)
  return [
    ...route.echoes.map(({ field, source, exchanges, values }) => [
      name,
      `\`${field}\``,
      `${source.in} \`${source.name}\``,
      `${exchanges} exchanges`,
      values,
    ]),
    ...route.ranges.map(({ field, start, end, exchanges }) => [
      name,
      `\`${field}\``,
      `between \`${start}\` and \`${end}\``,
      `${exchanges} exchanges`,
      '',
    ]),
  ]
}

function fixtureRows(route: InferredRoute): Row[] {
  if (route.fixtures === undefined) return []
  const { by, bodies, exchanges, repeated } = route.fixtures.variants
  const chosenBy = by === undefined ? 'always the same' : `${by.in} \`${by.name}\``
  return [[nameOf(route), chosenBy, Math.max(1, bodies.size), `${exchanges} exchanges`, repeated]]
}

function pageRows(route: InferredRoute): Row[] {
  const { paging } = route
  if (paging === undefined || route.method !== 'GET') return []
  const { at, size } = paging.parameters
  const lists = [...paging.lists.values()]
  const stated = [...paging.fields.map(({ path }) => path.join('.')), ...Object.keys(paging.headers)]
  const isKnown = lists.every(({ total }) => total !== undefined)
  return [
    [
      nameOf(route),
      codeOf([at, size].filter((name) => name !== undefined)),
      codeOf(stated),
      lists.reduce((sum, { items }) => sum + items.size, 0),
      isKnown ? lists.reduce((sum, { total = 0 }) => sum + total, 0) : 'unknown',
      `${paging.exchanges} exchanges`,
    ],
  ]
}

function codeOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
