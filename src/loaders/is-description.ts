const BLOCK_KEY = /^(["']?)(openapi|swagger)\1[ \t]*:/m
const FIRST_KEY = /^\s*\{\s*(["']?)(openapi|swagger)\1\s*:/
const ANY_KEY = /"(openapi|swagger)"\s*:/

/**
 * Whether the text of a document is an OpenAPI or Swagger description: whether `openapi` or `swagger` is a key at its
 * top. A large description is not parsed for that, since its key stands first or at the margin.
 */
export function isDescription(text: string): boolean {
  if (!/^\s*\{/.test(text)) return BLOCK_KEY.test(text)
  return FIRST_KEY.test(text) || (ANY_KEY.test(text) && hasKey(text))
}

function hasKey(text: string): boolean {
  try {
    const document = JSON.parse(text) as object
    return Object.hasOwn(document, 'openapi') || Object.hasOwn(document, 'swagger')
  } catch {
    return false
  }
}
