import { vi } from 'vitest'
import { runAdapter } from '../command/run-adapter.ts'
import type { AdapterConfig } from '../config.ts'
import type { AdapterDefinition } from '../definition.ts'

/** How a command ended, and all that it printed. */
export interface CommandRun {
  readonly code: number | undefined
  readonly text: string
}

/** Runs a command of an adapter in process, as its command line would, and collects what it prints. */
export async function runCommand<State, Fixture, Config extends AdapterConfig>(
  definition: AdapterDefinition<State, Fixture, Config>,
  ...args: readonly string[]
): Promise<CommandRun> {
  const printed: string[] = []
  const take = (chunk: unknown): boolean => printed.push(String(chunk)) > 0
  const takeLine = (text: unknown): void => void take(`${String(text)}\n`)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(take),
    vi.spyOn(process.stderr, 'write').mockImplementation(take),
    vi.spyOn(console, 'log').mockImplementation(takeLine),
    vi.spyOn(console, 'error').mockImplementation(takeLine),
  ]
  try {
    const code = await runAdapter(definition, args)
    return { code, text: printed.join('') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
