import { keepingLengths, type Secrets } from './secrets.ts'

const CONNECT = 0x10
const [HAS_WILL, HAS_PASSWORD, HAS_USER] = [0x04, 0x40, 0x80]
const WITH_PROPERTIES = 5
const NAMES = ['MQTT', 'MQIsdp']

/** The packet by which a client of MQTT logs in (5.0, section 3.1), without its password; what is none stays as it is. */
export function redactMqtt(bytes: Buffer, secrets: Secrets): Buffer {
  if (bytes[0] !== CONNECT) return bytes
  let at = endOfVariable(bytes, 1)
  const next = (): Buffer => {
    const start = at + 2
    at = start + (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : bytes.length)
    return bytes.subarray(start, at)
  }
  if (!NAMES.includes(next().toString('latin1'))) return bytes
  const [version = 0, flags = 0] = bytes.subarray(at, at + 2)
  const skipProperties = (): void => {
    if (version < WITH_PROPERTIES) return
    const end = endOfVariable(bytes, at)
    at = end + variableAt(bytes, at)
  }
  at += 4
  skipProperties()
  next()
  if ((flags & HAS_WILL) !== 0) {
    skipProperties()
    next()
    next()
  }
  if ((flags & HAS_USER) !== 0) next()
  const password = (flags & HAS_PASSWORD) === 0 ? '' : next().toString('latin1')
  if (password === '') return bytes
  const redacted = Buffer.from(bytes)
  redacted.write(keepingLengths(secrets).pseudonymize(password), at - password.length, 'latin1')
  return redacted
}

// A variable byte integer (section 1.5.5): the last byte has no highest bit.
function endOfVariable(bytes: Buffer, start: number): number {
  let end = start
  while (end < start + 4 && ((bytes[end] ?? 0) & 0x80) !== 0) end++
  return end + 1
}

function variableAt(bytes: Buffer, start: number): number {
  return bytes
    .subarray(start, endOfVariable(bytes, start))
    .reduce((sum, byte, index) => sum + (byte & 0x7f) * 128 ** index, 0)
}
