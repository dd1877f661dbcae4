import type { InferredRoute } from './infer-route.ts'
import type { Inference } from './infer-routes.ts'
import { groupBy } from './values.ts'

/**
 * What was inferred, from how many exchanges, and what a person should look at, as Markdown.
 * @param conflicts where a person's edit was kept and now differs from what is inferred
 */
export function reportOf(
  { routes, resources, skipped }: Inference,
  recording: string,
  conflicts: readonly string[] = [],
): string {
  const total = routes.reduce((sum, { samples }) => sum + samples.length, 0)
  const doubts = routes.flatMap((route) => route.doubts.map((doubt) => `- \`${nameOf(route)}\`: ${doubt}`))
  const links = routes.flatMap((route) => linkRows(route))
  const fixtures = routes.flatMap((route) => fixtureRows(route))
  const pages = routes.flatMap((route) => pageRows(route))
  return [
    `# What was inferred from ${recording}`,
    `${routes.length} routes from ${total} exchanges.`,
    '## Routes',
    table(
      ['route', 'exchanges', 'statuses', 'answers'],
      routes.map((route) => [
        `\`${nameOf(route)}\``,
        String(route.samples.length),
        statusesOf(route),
        formOf(route),
      ]),
    ),
    '## Links',
    links.length === 0
      ? 'No field was found that answers take from requests.'
      : table(['route', 'field', 'is taken from', 'seen in', 'different values'], links),
    '## Answers from fixtures',
    fixtures.length === 0
      ? 'No route was seen to have only a few answers.'
      : table(['route', 'chosen by', 'answers', 'seen in', 'came again'], fixtures),
    '## Pages',
    pages.length === 0
      ? 'No list was seen to be answered in pages.'
      : table(['route', 'requested by', 'stated by', 'items seen', 'of', 'seen in'], pages),
    '## Collections',
    resources.length === 0
      ? 'No collection was seen to answer what was done to it.'
      : table(
          ['collection', 'there from the start', 'confirmed by later answers', 'contradicted'],
          resources.map(({ host = '', path, seeds, confirmed, contradicted }) => [
            `\`${host}${path}\``,
            String([...seeds.values()].reduce((sum, items) => sum + items.length, 0)),
            String(confirmed),
            String(contradicted),
          ]),
        ),
    '## Please look at',
    ...(doubts.length === 0 && skipped.size === 0 && conflicts.length === 0
      ? ['Nothing in particular.']
      : [
          [
            ...conflicts.map(
              (conflict) => `- kept as it was edited, though now it would differ: ${conflict}`,
            ),
            ...doubts,
            ...[...skipped].map(([reason, count]) => `- ${count} exchanges left out: ${reason}`),
          ].join('\n'),
        ]),
    '',
  ].join('\n\n')
}

function nameOf({ method, host = '', path }: InferredRoute): string {
  return `${method} ${host}${path}`
}

function formOf({ output, fixtures }: InferredRoute): string {
  const type = fixtures?.model?.['contentMediaType']
  if (typeof type === 'string') return type
  return `${output?.form ?? 'nothing'}${fixtures === undefined ? '' : ', as recorded'}`
}

function fixtureRows(route: InferredRoute): string[][] {
  if (route.fixtures === undefined) return []
  const { by, bodies, exchanges, repeated } = route.fixtures.variants
  return [
    [
      `\`${nameOf(route)}\``,
      by === undefined ? 'always the same' : `${by.in} \`${by.name}\``,
      String(Math.max(1, bodies.size)),
      `${exchanges} exchanges`,
      String(repeated),
    ],
  ]
}

function totalsOf(totals: readonly (number | undefined)[]): string {
  const known = totals.filter((total) => total !== undefined)
  return known.length < totals.length ? 'unknown' : String(known.reduce((sum, total) => sum + total, 0))
}

function pageRows(route: InferredRoute): string[][] {
  const { paging } = route
  if (paging === undefined || route.method !== 'GET') return []
  const { at, size } = paging.parameters
  const lists = [...paging.lists.values()]
  const stated = [...paging.fields.map(({ path }) => path.join('.')), ...Object.keys(paging.headers)]
  return [
    [
      `\`${nameOf(route)}\``,
      [at, size]
        .filter((name) => name !== undefined)
        .map((name) => `\`${name}\``)
        .join(', '),
      stated.map((name) => `\`${name}\``).join(', '),
      String(lists.reduce((sum, { items }) => sum + items.size, 0)),
      totalsOf(lists.map(({ total }) => total)),
      `${paging.exchanges} exchanges`,
    ],
  ]
}

function statusesOf({ samples }: InferredRoute): string {
  const counts = [...groupBy(samples, ({ status }) => status)].map(
    ([status, all]) => [status, all.length] as const,
  )
  return counts
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')
}

function linkRows(route: InferredRoute): string[][] {
  const name = `\`${nameOf(route)}\``
  return [
    ...route.echoes.map(({ field, source, exchanges, values }) => [
      name,
      `\`${field}\``,
      `${source.in} \`${source.name}\``,
      `${exchanges} exchanges`,
      String(values),
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

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}
