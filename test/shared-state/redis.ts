import { startRedis } from '../state/redis-server.ts'

/** One server for all files; each app that a test makes has a name of its own there. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startRedis()
  process.env['SIM_TEST_STATE'] = server.unixUrl
  return () => server.stop()
}
