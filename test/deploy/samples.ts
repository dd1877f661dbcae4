import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../flow/sim-process.ts'

/** How a sample of `config/deploy` starts a program. */
export interface Sample {
  readonly command: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What whoever deploys a sample says, by the names that its files have for it. */
export type Given = Readonly<Record<string, string>>

export const readSample = (name: string): string => readFileSync(join(ROOT, 'config/deploy', name), 'utf8')

/** A service of the compose file. @param given values in place of `${NAME}` */
export function composeService(name: string, given: Given): Sample {
  const { services } = composeFile(given)
  const { command = [], environment = {}, hostname } = services[name] ?? {}
  return { command, env: { ...environment, ...(hostname !== undefined && { HOSTNAME: hostname }) } }
}

interface ComposeService {
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly hostname?: string
}

/** The compose file, as compose reads it. */
export function composeFile(given: Given): { readonly services: Readonly<Record<string, ComposeService>> } {
  return JSON.parse(
    JSON.stringify(parse(readSample('compose.yaml'), { merge: true })).replaceAll(
      /\$(?:\$|\{(\w+)(?::[^}]*)?\})/g,
      (all, variable: string | undefined) => {
        if (variable === undefined) return all.slice(1)
        return given[variable] ?? all
      },
    ),
  ) as ReturnType<typeof composeFile>
}

/** A document of Kubernetes. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: Readonly<Record<string, unknown>>
}

export function manifests(): readonly Manifest[] {
  return parseAllDocuments(readSample('kubernetes.yaml')).map((each) => each.toJS() as Manifest)
}

interface Container {
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
}

/** The container of a set of pods. @param given values of variables whose values come from elsewhere */
export function podOf(name: string, given: Given): Sample {
  const { spec } = manifests().find(
    (each) => each.kind === 'StatefulSet' && each.metadata.name === name,
  ) as Manifest
  const { template } = spec as unknown as { template: { spec: { containers: readonly [Container] } } }
  const [{ command = [], args = [], env = [] }] = template.spec.containers
  const variables = Object.fromEntries(env.map((each) => [each.name, given[each.name] ?? each.value ?? '']))
  return {
    command: [...command, ...args].map((text) =>
      text.replaceAll(/\$\((\w+)\)/g, (all, variable: string) => variables[variable] ?? all),
    ),
    env: variables,
  }
}

/** The unit for a port. @param given what the environment file says */
export function unitService(port: number, host: string, given: Given): Sample {
  const lines = readSample('sim@.service')
    .replaceAll('\\\n', '')
    .replaceAll('%i', String(port))
    .replaceAll('%H', host)
  const valuesOf = (key: string): string[] =>
    [...lines.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  const env = { ...given, ...Object.fromEntries(valuesOf('Environment').map((each) => each.split('='))) }
  const [line = ''] = valuesOf('ExecStart')
  return {
    command: line
      .split(/ +/)
      .map((text) => text.replaceAll(/\$\{(\w+)\}/g, (all, variable: string) => given[variable] ?? all)),
    env: env as Given,
  }
}
