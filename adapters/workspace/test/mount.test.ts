import type { AddressInfo } from 'node:net'
import { createGateway, SimAPI } from 'sim-gateway'
import { expect, it } from 'vitest'
import { WorkspaceMock } from '../src/index.ts'
import { all, clientOf } from './client.ts'

it('answers the real client below a host of the gateway, and plain requests below a prefix', async () => {
  const { adapter } = new WorkspaceMock()
  const gateway = createGateway({
    engine: new SimAPI({ seed: 1 }).engine(),
    adapters: [
      { adapter, host: 'localhost' },
      { adapter: new WorkspaceMock().adapter, prefix: '/workspace' },
    ],
  })
  await gateway.listen({ port: 0, host: 'localhost' })
  const { port } = gateway.server.address() as AddressInfo
  try {
    const client = clientOf({ baseUrl: `http://localhost:${port}`, token: 'x' })
    const run = await (await client.jobs.runNow({ job_id: 1001 })).wait()

    expect(run).toMatchObject({ state: { result_state: 'SUCCESS' } })
    expect(run.run_page_url).toContain(`http://localhost:${port}/jobs/1001/runs/`)
    expect(await all(client.clusters.list({}))).toHaveLength(26)
    const prefixed = await fetch(`http://127.0.0.1:${port}/workspace/api/2.2/jobs/get?job_id=1001`)
    expect(await prefixed.json()).toMatchObject({ job_id: 1001 })
  } finally {
    gateway.server.closeAllConnections()
    await gateway.close()
  }
})
