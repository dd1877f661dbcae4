/** The part of the page's script that makes its pieces: elements, controls, and the sending of requests. */
export const PARTS_SCRIPT = String.raw`
let fields = 0

function element(name, attributes, ...children) {
  const node = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
  node.append(...children)
  return node
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
    outcome.replaceChildren(
      element('strong', { class: response.ok ? 'good' : 'bad' }, line),
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
`
