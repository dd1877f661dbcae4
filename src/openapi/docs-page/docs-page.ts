import { createHash } from 'node:crypto'
import { MODEL_SCRIPT } from './model-script.ts'
import { PARTS_SCRIPT } from './parts-script.ts'
import { STYLE } from './style.ts'
import { VIEW_SCRIPT } from './view-script.ts'

const SCRIPT = `(() => {\n'use strict'\n${MODEL_SCRIPT}${PARTS_SCRIPT}${VIEW_SCRIPT}\nstart()\n})()`

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
