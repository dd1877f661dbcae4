import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../flow/sim-process.ts'
import type { Walked } from './walk.ts'

/** A directory far from the app, with the packages that it imports. */
export function elsewhere(): string {
  const directory = mkdtempSync(join(tmpdir(), 'sim-elsewhere-'))
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(ROOT, join(directory, 'node_modules/sim-gateway'))
  symlinkSync(join(ROOT, 'node_modules/typebox'), join(directory, 'node_modules/typebox'))
  return directory
}

/** Has the control plane of a gateway make the folder of a request. @returns why it does not, or nothing */
export async function makeFolder(
  url: string,
  { id, session }: Walked,
  folder: string,
): Promise<string | undefined> {
  const headers: Record<string, string> = session === '' ? {} : { 'x-sim-session': session }
  const response = await fetch(`${url}/__sim/requests/${id}/repro`, { headers })
  const made = (await response.json()) as { detail?: string; files: Record<string, string> }
  if (!response.ok) return made.detail
  for (const [name, text] of Object.entries(made.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return undefined
}

/** Runs the script of a folder in a process of its own. */
export async function runScript(
  folder: string,
): Promise<{ code: number | null; stdout: Buffer; stderr: string }> {
  const child = spawn(process.execPath, [join(folder, 'repro.mjs')], { cwd: tmpdir() })
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
}
