import type { HttpRequest } from '../message.ts'
import { createGlob } from '../routing/glob.ts'
import { HOST_FORM, hostOfCall, readHostPattern } from '../routing/host.ts'
import { OptionInvalid } from '../errors.ts'

/** What the modes are called. */
export const MODE_NAMES = [
  'simulate',
  'forward',
  'record',
  'replay',
  'spy',
  'new-episodes',
  'diff',
  'shadow',
] as const

/** How a gateway comes to its answers. */
export type ModeName = (typeof MODE_NAMES)[number]

/** A mode for some requests: those that fit all that it names. */
export interface ModeRule {
  readonly mode: ModeName
  readonly method?: string | undefined
  /** A glob over the path, such as `/users/**`. */
  readonly path?: string | undefined
  /** A host, such as `api.example.com` or `*.example.com`. */
  readonly host?: string | undefined
  /** Headers by name, with the value they must have; `*` for any. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The modes of a gateway: one for every request, and others by rule. */
export interface ModeSettings {
  /** Default: `simulate`. */
  readonly mode?: ModeName | undefined
  /** The first that fits counts. */
  readonly rules?: readonly ModeRule[] | undefined
}

/** What a gateway has of what some modes need. */
export interface ModeNeeds {
  readonly records: boolean
  readonly hasRecording: boolean
}

/** Which mode answers which request; it can be changed while requests come. */
export interface Modes {
  /** What is in force. */
  readonly settings: Required<ModeSettings>
  of(request: HttpRequest): ModeName
  /** The mode of every request, whatever it is; `undefined` where that depends on rules. */
  readonly only: ModeName | undefined
  /** Those that requests may have: the one for every request and those of rules. */
  names(): readonly ModeName[]
  /** Replaces what is in force. @throws OptionInvalid as `createModes` does; then nothing has changed */
  set(settings: ModeSettings): void
}

/** @throws OptionInvalid for a mode that is not known or that lacks a recording, and for a rule that cannot be */
export function createModes(settings: ModeSettings, has: ModeNeeds): Modes {
  let { rules, ...current } = compile(settings, has)
  const modes = {
    ...current,
    of: (request: HttpRequest) => rules.find(({ fits }) => fits(request))?.mode ?? modes.settings.mode,
    names: () => [modes.settings.mode, ...rules.map(({ mode }) => mode)],
    set(next: ModeSettings) {
      ;({ rules, ...current } = compile(next, has))
      Object.assign(modes, current)
    },
  }
  return modes
}

interface Compiled extends Pick<Modes, 'settings' | 'only'> {
  readonly settings: Required<ModeSettings> & { readonly mode: ModeName }
  readonly rules: readonly { readonly mode: ModeName; readonly fits: (call: HttpRequest) => boolean }[]
}

function compile({ mode = 'simulate', rules = [] }: ModeSettings, has: ModeNeeds): Compiled {
  for (const name of [mode, ...rules.map((rule) => rule.mode)]) check(name, has)
  return {
    settings: { mode, rules },
    only: rules.length === 0 ? mode : undefined,
    rules: rules.map((rule) => ({ mode: rule.mode, fits: matcherOf(rule) })),
  }
}

function check(mode: string, { records, hasRecording }: ModeNeeds): void {
  if (!MODE_NAMES.some((name) => name === mode))
    throw new OptionInvalid(`There is no mode '${mode}'. Modes: ${MODE_NAMES.join(', ')}`)
  if (mode === 'record' && !records)
    throw new OptionInvalid("Mode 'record' needs a directory to record to: --record <dir>")
  if (/^(replay|spy|new-episodes)$/.test(mode) && !hasRecording)
    throw new OptionInvalid(`Mode '${mode}' needs a recording to read: --recording <dir>`)
}

function matcherOf({ method, path, host, headers = {} }: ModeRule): (call: HttpRequest) => boolean {
  const pattern = host === undefined ? undefined : readHostPattern(host)
  if (host !== undefined && pattern === undefined)
    throw new OptionInvalid(`A mode's host must be ${HOST_FORM}, not '${host}'`)
  const isPath = path === undefined ? () => true : createGlob(path)
  return (call) => {
    const called = pattern === undefined ? undefined : hostOfCall(call)
    return (
      (method === undefined || method.toUpperCase() === call.method) &&
      isPath(call.path) &&
      (pattern === undefined || (called !== undefined && pattern.matches(called))) &&
      Object.entries(headers).every(([name, value]) => hasHeader(call, name, value))
    )
  }
}

function hasHeader({ headers }: HttpRequest, name: string, wanted: string): boolean {
  const value = headers[name.toLowerCase()]
  return value !== undefined && (wanted === '*' || String(value) === wanted)
}
