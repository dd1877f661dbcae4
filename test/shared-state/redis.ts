import { startRedis, type RedisServer } from '../state/redis-server.ts'

let server: RedisServer | undefined

/** One server for all files; each app that a test makes has a name of its own there. */
export async function setup(): Promise<void> {
  server = await startRedis()
  process.env['SIM_TEST_STATE'] = server.unixUrl
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
