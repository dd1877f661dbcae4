import type { InferredRoute, Inference } from './infer-routes.ts'
import { groupBy } from './group-by.ts'

/** What was inferred, from how many exchanges, and what a person should look at, as Markdown. */
export function reportOf({ routes, resources, skipped }: Inference, recording: string): string {
  const total = routes.reduce((sum, { samples }) => sum + samples.length, 0)
  const doubts = routes.flatMap((route) => route.doubts.map((doubt) => `- \`${nameOf(route)}\`: ${doubt}`))
  const links = routes.flatMap((route) => linkRows(route))
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
        route.output?.form ?? 'nothing',
      ]),
    ),
    '## Links',
    links.length === 0
      ? 'No field was found that answers take from requests.'
      : table(['route', 'field', 'is taken from', 'seen in', 'different values'], links),
    '## Collections',
    resources.length === 0
      ? 'No collection was seen to answer what was done to it.'
      : table(
          ['items', 'there from the start', 'confirmed by later answers', 'contradicted'],
          resources.map(({ path, seeds, confirmed, contradicted }) => [
            `\`${path}\``,
            String([...seeds.values()].reduce((sum, items) => sum + items.length, 0)),
            String(confirmed),
            String(contradicted),
          ]),
        ),
    '## Please look at',
    ...(doubts.length === 0 && skipped.size === 0
      ? ['Nothing in particular.']
      : [
          [
            ...doubts,
            ...[...skipped].map(([reason, count]) => `- ${count} exchanges left out: ${reason}`),
          ].join('\n'),
        ]),
    '',
  ].join('\n\n')
}

function nameOf({ method, path }: InferredRoute): string {
  return `${method} ${path}`
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
