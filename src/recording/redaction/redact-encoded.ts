import { decodeParameter } from './parameters.ts'
import { redactBase64 } from './redact-base64.ts'

const ENCODED_VALUE = /=([^\s&#;=%"<>\\]*%[\da-f]{2}[^\s&#;="<>\\]*)/gi

/** JSON that is percent-encoded, and JSON in base64, which is not the first part of a JSON Web Token. */
const ENCODED_JSON = /%(?:5B|7B)(?:%20|\+)*(?:%7B)?(?:%20|\+)*%22[\w%.~!*+-]{6,65536}/gi
const BASE64_JSON = /(?<![\w+/=.-])(?:eyJ|ewo|ew0K|eyA)[\w+/-]{12,65536}={0,2}(?![\w+/=.-])/g

/** Hides the secrets of texts that stand encoded in a text: values of parameters, and JSON. */
export function redactEncodedTexts(text: string, redactInner: (decoded: string) => string): string {
  const based = /ey[JA]|ew[o0]/.test(text)
    ? text.replaceAll(BASE64_JSON, (whole) => redactBase64(whole, redactInner, redactInner) ?? whole)
    : text
  if (!based.includes('%')) return based
  return based
    .replaceAll(ENCODED_JSON, (whole) => redactEncoded(whole, redactInner))
    .replaceAll(ENCODED_VALUE, (_whole, value: string) => `=${redactEncoded(value, redactInner)}`)
}

function redactEncoded(value: string, redactInner: (decoded: string) => string): string {
  const decoded = decodeParameter(value)
  const redacted = redactInner(decoded)
  return redacted === decoded ? value : encodeURIComponent(redacted)
}
