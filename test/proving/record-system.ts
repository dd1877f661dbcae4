import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { startSim } from '../flow/sim-process.ts'
import type { Proving } from './bars.ts'
import type { Relay } from './relay.ts'
import type { Server } from './server.ts'

/** Runs clients against a system that has just been started, through a gateway that records them. */
export async function withRecorded<Value>(
  { system, directory }: Proving,
  recording: string,
  relay: Relay,
  run: (target: string, server: Server) => Promise<Value>,
): Promise<Value> {
  const server = await system.start(emptied(join(directory, `server-${recording}`)))
  try {
    const config = join(directory, `${recording}.yaml`)
    const headers =
      system.keepsHost === true ? { request_headers: { set: { host: new URL(relay.url).host } } } : {}
    writeFileSync(config, stringify({ gateway: { upstreams: [{ url: server.url, path: '/', ...headers }] } }))
    const gateway = await startSim(['proxy', '--config', config, '--record', join(directory, recording)])
    try {
      return await run(gateway.url, server)
    } finally {
      await gateway.stop()
    }
  } finally {
    await server.stop()
  }
}

/** A folder with nothing in it. */
export function emptied(directory: string): string {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  return directory
}
