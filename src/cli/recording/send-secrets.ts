import { readFileSync } from 'node:fs'
import { UsageInvalid } from '../../errors.ts'
import type { NameValue } from '../../recording/exchange.ts'

/** The header that a flag gives. @throws UsageInvalid */
export function readHeader(text: string): NameValue {
  const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*?)\s*$/s.exec(text) ?? []
  if (name !== undefined) return { name, value: readSecret('header', value) }
  throw new UsageInvalid("--header must be a name and a value, such as 'x-api-key: {env:KEY}'")
}

/** Texts by their pseudonyms, as flags and a file give them. @throws UsageInvalid, which quotes no secret */
export function readReplacements(
  replace: readonly string[],
  replaceFile: string | undefined,
): ReadonlyMap<string, string> {
  const lines = replaceFile === undefined ? [] : readText('replace-file', replaceFile).split(/\r?\n/)
  const given = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return new Map(
    [...given, ...replace].map((pair) => {
      const equals = pair.indexOf('=')
      if (equals > 0) return [pair.slice(0, equals).trim(), readSecret('replace', pair.slice(equals + 1))]
      // What is wrong may be the secret itself.
      throw new UsageInvalid(
        '--replace must be a pseudonym and a text, such as redacted-0123456789abcdef={env:TOKEN}',
      )
    }),
  )
}

// So that no secret is on the command line.
function readSecret(flag: string, text: string): string {
  return text.replaceAll(/\{(env|file):([^{}]+)\}/g, (_all, kind: string, name: string) => {
    if (kind === 'file') return readText(flag, name).replace(/\r?\n$/, '')
    const value = process.env[name]
    if (value !== undefined) return value
    throw new UsageInvalid(`--${flag}: there is no environment variable ${name}`)
  })
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageInvalid(`--${flag}: ${file} cannot be read: ${(error as Error).message}`, { cause: error })
  }
}
