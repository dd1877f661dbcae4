import { createHash } from 'node:crypto'
import { MODEL_SCRIPT } from './model-script.ts'
import { VIEW_SCRIPT } from './view-script.ts'

/** The style of the page of operations: system fonts, two colour schemes, nothing fetched. */
export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --panel: #f6f8fa; --accent: #0550ae; --good: #116329; --bad: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --text: #e6edf3; --soft: #9da7b3;
  --line: #30363d; --panel: #161b22; --accent: #79c0ff; --good: #56d364; --bad: #ff8182; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; display: inline; font-weight: 600; }
h4 { font-size: 1rem; margin: 1rem 0 0.25rem; }
p { margin: 0.25rem 0; } .soft { color: var(--soft); }
code, pre, textarea { font: 0.875rem/1.45 ui-monospace, monospace; }
pre, textarea { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem;
  margin: 0.25rem 0; overflow: auto; max-height: 24rem; white-space: pre-wrap; overflow-wrap: anywhere; }
textarea { width: 100%; min-height: 8rem; color: inherit; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0 0.75rem; }
details[open] { padding-bottom: 0.75rem; }
summary { cursor: pointer; padding: 0.5rem 0; overflow-wrap: anywhere; }
summary:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px; }
.method { display: inline-block; min-width: 4.5rem; color: var(--accent); font-weight: 700; }
.settings, .field { display: flex; flex-wrap: wrap;
  gap: 0.25rem 0.75rem; align-items: baseline; margin: 0.5rem 0; }
.field label { min-width: 12rem; } .field input { flex: 1 1 12rem; }
input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line);
  border-radius: 6px; padding: 0.25rem 0.5rem; }
button { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; padding: 0.25rem 0.75rem; margin: 0.25rem 0.5rem 0.25rem 0; cursor: pointer; }
.good { color: var(--good); } .bad { color: var(--bad); }
[hidden] { display: none; }
`

const SCRIPT = `(() => {\n'use strict'\n${MODEL_SCRIPT}${VIEW_SCRIPT}\nstart()\n})()`

// The page may run this script, show this style and send requests; nothing in a document can add to that.
const POLICY = [
  "default-src 'none'",
  `script-src '${digestOf(SCRIPT)}'`,
  `style-src '${digestOf(STYLE)}'`,
  'img-src data:',
  'connect-src *',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** A page that shows an OpenAPI document and sends its requests. It holds everything it needs. */
export function docsPage(documentUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>API</title>
<style>${STYLE}</style>
</head>
<body data-document="${escapeAttribute(documentUrl)}">
<header>
<h1 id="title">API</h1>
<div id="settings" class="settings"></div>
</header>
<main id="operations"><p>Reading the document</p></main>
<noscript><p>This page needs JavaScript. The document is at ${escapeAttribute(documentUrl)}.</p></noscript>
<script>${SCRIPT}</script>
</body>
</html>
`
}

function escapeAttribute(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
