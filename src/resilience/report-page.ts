import type { ChaosReport, ClientReport } from './report-form.ts'
import { BEHAVIOURS, injectedText } from './report-words.ts'

const STYLE = `:root{color-scheme:light dark;--line:#8884;--bad:#b3261e;--good:#116329}
@media(prefers-color-scheme:dark){:root{--bad:#ff8a80;--good:#56d364}}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;overflow-wrap:anywhere}
.failed{color:var(--bad);font-weight:600}.passed{color:var(--good)}
rect{fill:currentColor;opacity:.55}svg{width:100%;height:auto}text{fill:currentColor;font-size:12px}`

/** The report as one page that needs nothing else. */
export function reportPage(report: ChaosReport): string {
  const { injected, clients, requests, dropped } = report
  const rows = injected.map((each) => [each.rule, each.route, injectedText(each)])
  const left = dropped > 0 ? `; ${dropped} earlier ones are no longer in the journal` : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Resilience report</title><style>${STYLE}</style></head><body><main>
<h1>Resilience report</h1><p>${requests} requests${left}</p>
<h2>What was injected</h2>${rows.length === 0 ? '<p>Nothing.</p>' : tableOf(['Rule', 'Route', 'What'], rows)}
${clients.map(sectionOf).join('\n')}
</main></body></html>
`
}

function sectionOf(client: ClientReport): string {
  const { behaviour, calls, requests, retries, recovered, given_up: givenUp, most_attempts: most } = client
  const facts = [
    ['Requests, calls', `${requests}, ${calls}`],
    ['Retries', String(retries)],
    ['Recovered, given up', `${recovered}, ${givenUp}`],
    ['Attempts of a call at most', String(most)],
    ...client.statuses.map(({ status, failed, retried }) => [
      `Retried after ${status}`,
      `${retried} of ${failed}`,
    ]),
  ]
  const checks = client.findings
    .map(
      ({ check, result, says }) =>
        `<tr><td>${escape(check)}</td><td class="${result === 'not seen' ? '' : result}">${result}</td><td>${escape(says)}</td></tr>`,
    )
    .join('')
  return `<section><h2>${escape(client.client)}</h2>
<p><strong>${escape(behaviour)}</strong>: it ${escape(BEHAVIOURS[behaviour])}.</p>
<table><thead><tr><th scope="col">Check</th><th scope="col">Result</th><th scope="col">Seen</th></tr></thead><tbody>${checks}</tbody></table>
${tableOf(['What', 'How many'], facts)}${barsOf(client.backoff.waits_ms)}</section>`
}

/** As many retries of a call as are drawn. */
const DRAWN = 12

// The waits before each retry: their range, with the median in words.
function barsOf(waits: ClientReport['backoff']['waits_ms']): string {
  const drawn = waits.slice(0, DRAWN)
  if (drawn.length === 0) return ''
  const most = Math.max(1, ...drawn.map((wait) => wait.most))
  const bars = drawn.map(({ median, least, most: longest }, index) => {
    const [x, width] = [(least / most) * 400, Math.max(3, ((longest - least) / most) * 400)]
    return `<text x="0" y="${index * 24 + 15}">retry ${index + 1}</text><rect x="${70 + x}" y="${index * 24 + 3}" width="${width}" height="16"/><text x="490" y="${index * 24 + 15}">${median} ms</text>`
  })
  return `<h3>Waits before retries</h3><svg viewBox="0 0 580 ${drawn.length * 24}" role="img" aria-label="Shortest and longest wait before each retry, and the median">${bars.join('')}</svg>`
}

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((each) => `<th scope="col">${escape(each)}</th>`).join('')
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`)
    .join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
