/**
 * The part of the page's script that shows a document: elements, controls, and the sending of requests. All data of
 * the document become text nodes, never markup.
 */
export const VIEW_SCRIPT = String.raw`
let fields = 0

function element(name, attributes, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children.flat(2).filter(Boolean))
  return node
}

function soft(text) {
  return element('p', { class: 'soft' }, text)
}

function json(value) {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function block(text) {
  return element('pre', { tabindex: '0' }, element('code', {}, text))
}

function folded(title, ...children) {
  return element('details', {}, element('summary', {}, title), ...children)
}

function field(text, control, ...notes) {
  const id = 'field-' + ++fields
  control.setAttribute('id', id)
  return element('div', { class: 'field' }, element('label', { for: id }, text), control, ...notes)
}

function button(text, act) {
  const node = element('button', { type: 'button' }, text)
  node.addEventListener('click', act)
  return node
}

async function copy(code, said) {
  try {
    await navigator.clipboard.writeText(code.textContent)
    said.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(code)
    said.textContent = 'Selected; copy it with the keyboard'
  }
}

async function send(outcome, request) {
  outcome.replaceChildren('Waiting for the answer')
  const started = performance.now()
  try {
    const response = await request()
    const text = await response.text()
    const line =
      response.status + ' ' + response.statusText + ' in ' + Math.round(performance.now() - started) + ' ms'
    const headers = [...response.headers].map(([name, value]) => name + ': ' + value).join('\n')
    outcome.replaceChildren(
      element('strong', { class: response.ok ? 'good' : 'bad' }, line),
      element('h4', {}, 'Headers'),
      block(headers === '' ? 'None that a page may read' : headers),
      element('h4', {}, 'Body'),
      block(readable(text)),
    )
  } catch (error) {
    outcome.replaceChildren(element('strong', { class: 'bad' }, 'No answer: ' + error.message))
  }
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text === '' ? 'No body' : text.slice(0, 100000)
  }
}

function describe({ required, description, schema }, doc) {
  return [typeText(doc, schema), required ? 'required' : 'optional', description].filter(Boolean).join('. ')
}

function responseView([status, { description, headers = {}, content = {} }], doc) {
  const media = content['application/json']
  const examples = media?.examples
    ? Object.values(media.examples)
    : media && 'example' in media
      ? [{ value: media.example }]
      : []
  const named = Object.entries(headers).map(
    ([name, header]) => name + (header.description ? ': ' + header.description : ''),
  )
  return folded(
    status + ' ' + description,
    named.length > 0 && soft('Headers: ' + named.join('; ')),
    media
      ? [element('p', {}, 'Body: ' + typeText(doc, media.schema)), block(json(media.schema))]
      : element('p', {}, 'No body'),
    examples.map(({ summary, value }) => [
      soft(summary ? 'Example: ' + summary : 'Example'),
      block(json(value)),
    ]),
  )
}

function schemeText({ type, scheme, name, in: place }) {
  if (type === 'apiKey') return 'the key ' + name + ' in the ' + place
  return scheme?.toLowerCase() === 'basic' ? 'user:password' : 'a bearer token'
}

function operationView(doc, { path, method, operation }, settings) {
  const parameters = operation.parameters ?? []
  const sent = bodyOf(doc, operation)
  const schemes = credentialsOf(doc, operation)
  const guarded = schemes.length > 0
  const inputs = parameters.map((parameter) => {
    const input = element('input', { type: 'text', placeholder: sampleText(doc, parameter) })
    input.value = parameter.required ? sampleText(doc, parameter) : ''
    return input
  })
  const body = element('textarea', { spellcheck: 'false' })
  body.value = sent === undefined ? '' : sent.text
  const code = element('code', {})
  const said = element('span', { role: 'status', class: 'soft' })
  const outcome = element('div', { role: 'status' })

  const values = () => inputs.map((input) => input.value)
  const url = () => new URL(urlOf(settings.base(), path, parameters, values()), location.href).href
  const update = () => {
    try {
      const headers = headersOf(parameters, values())
      code.textContent = curlOf(method, url(), guarded, compact(body.value), sent?.type, headers)
    } catch {
      code.textContent = 'The base URL is not a URL'
    }
  }
  const request = () => {
    const headers = headersOf(parameters, values())
    if (body.value !== '') headers['content-type'] = sent.type
    const target = new URL(url())
    present(schemes, settings.token(), headers, target)
    return fetch(target.href, { method, headers, ...(body.value !== '' ? { body: body.value } : {}) })
  }
  const tryIt = () => send(outcome, request)
  for (const control of [...inputs, body]) {
    control.addEventListener('input', update)
    control.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (control !== body || event.ctrlKey || event.metaKey)) tryIt()
    })
  }
  settings.onChange(update)
  update()

  return element(
    'details',
    { class: 'operation' },
    element(
      'summary',
      {},
      element('h3', {}, element('span', { class: 'method' }, method), ' ', element('code', {}, path)),
      ' ' + (operation.summary ?? ''),
    ),
    operation.description && element('p', {}, operation.description),
    guarded && soft('Needs ' + schemes.map(schemeText).join(' or ')),
    parameters.length > 0 && element('h4', {}, 'Parameters'),
    parameters.map((parameter, index) =>
      field(
        parameter.name + ' (' + parameter.in + ')',
        inputs[index],
        element('span', { class: 'soft' }, describe(parameter, doc)),
      ),
    ),
    sent !== undefined && [
      element('h4', {}, 'Body: ' + typeText(doc, sent.schema)),
      folded('Schema', block(json(sent.schema))),
      field(/[/+]json/.test(sent.type) ? 'JSON to send' : sent.type + ' to send', body),
    ],
    element('h4', {}, 'Responses'),
    Object.entries(operation.responses ?? {}).map((response) => responseView(response, doc)),
    element('h4', {}, 'Request'),
    element('pre', { tabindex: '0' }, code),
    button('Copy curl', () => copy(code, said)),
    button('Try it', tryIt),
    said,
    outcome,
  )
}

function settingsView(doc, documentUrl, place) {
  const server = doc.servers?.[0]?.url
  const beside = new URL('.', documentUrl).href.replace(/__sim\/$/, '')
  const base = element('input', { type: 'text' })
  base.value = server === undefined ? beside : new URL(server, documentUrl).href
  const token = element('input', { type: 'password', autocomplete: 'off' })
  place.append(field('Base URL', base))
  if (doc.components?.securitySchemes) place.append(field('Token', token, soft('A bearer token, a key, or user:password')))
  return {
    base: () => base.value,
    token: () => token.value,
    onChange: (act) => base.addEventListener('input', act),
  }
}

function show(doc, documentUrl, main) {
  document.title = doc.info.title
  const title = document.getElementById('title')
  title.textContent = doc.info.title
  title.after(
    soft('Version ' + doc.info.version),
    ...(doc.info.description ? [element('p', {}, doc.info.description)] : []),
  )
  const settings = settingsView(doc, documentUrl, document.getElementById('settings'))
  const groups = [...operationsByGroup(doc)].map(([name, operations]) =>
    element(
      'section',
      {},
      element('h2', {}, name),
      ...operations.map((operation) => operationView(doc, operation, settings)),
    ),
  )
  const models = Object.entries(doc.components?.schemas ?? {}).map(([name, schema]) =>
    folded(name, block(json(schema))),
  )
  main.replaceChildren(
    ...groups,
    ...(models.length > 0 ? [element('section', {}, element('h2', {}, 'Models'), ...models)] : []),
  )
}

async function start() {
  const main = document.getElementById('operations')
  const documentUrl = new URL(document.body.getAttribute('data-document'), location.href).href
  try {
    const response = await fetch(documentUrl)
    if (!response.ok) throw new Error(documentUrl + ' answered ' + response.status)
    show(await response.json(), documentUrl, main)
  } catch (error) {
    main.replaceChildren(
      element(
        'p',
        { class: 'bad', role: 'alert' },
        'The OpenAPI document could not be shown: ' + error.message,
      ),
    )
  }
}
`
