import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, runCommand, startServer } from '../server.ts'

export const needs = ['placement-api', 'placement-manage']

const COUNTED = 'writes below an item raise a number that it and all below it have, and must name that'
export const short = {
  'held out': `${COUNTED}; a DELETE of what is in use is refused`,
  checks: `${COUNTED}; usages are sums, and entries of objects are filled up`,
  'by rule': COUNTED,
}

/** What OpenStack counts its resources with. */
export async function start(directory) {
  const config = [
    ...['[DEFAULT]', 'debug = false', '[api]', 'auth_strategy = noauth2'],
    ...['[placement_database]', `connection = sqlite:///${join(directory, 'placement.db')}`, ''],
  ]
  writeFileSync(join(directory, 'placement.conf'), config.join('\n'))
  const env = { OS_PLACEMENT_CONFIG_DIR: directory }
  const file = ['--config-file', join(directory, 'placement.conf')]
  const { code, stderr } = await runCommand('placement-manage', [...file, 'db', 'sync'], { env })
  if (code !== 0) throw new Error(`placement-manage: ${stderr.slice(-1000)}`)
  return startServer('placement-api', (port) => ['--host', '127.0.0.1', '--port', String(port)], {
    env,
    isUp: async (url) => (await fetch(`${url}/`)).ok,
  })
}

const VALUES = {
  A: {
    hosts: [
      ['8d3a9b1e-5b0c-4b7b-8e6a-0d1f2a3b4c5d', 'compute-1'],
      ['1f0e2d3c-4b5a-4968-8776-a5b4c3d2e1f0', 'compute-2'],
      ['b7c1d2e3-f4a5-4b6c-8d7e-9f0a1b2c3d4e', 'storage-1'],
    ],
    traits: ['CUSTOM_FAST', 'CUSTOM_RACK_A'],
    resource: 'CUSTOM_GPU',
    cpus: [8, 16],
    users: ['5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d', '0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d'],
    take: [2, 4],
    none: '99999999-9999-4999-8999-999999999999',
    group: 'c0ffee00-1111-4222-8333-444455556666',
    renamed: 'compute-one',
  },
  B: {
    hosts: [
      ['2c4d6e8f-0a1b-4c3d-9e5f-6a7b8c9d0e1f', 'node-a'],
      ['f1e2d3c4-b5a6-4978-8a9b-0c1d2e3f4a5b', 'node-b'],
    ],
    traits: ['CUSTOM_SLOW', 'CUSTOM_ROW_7', 'CUSTOM_QUIET'],
    resource: 'CUSTOM_FPGA',
    cpus: [32, 4],
    users: ['7e8f9a0b-1c2d-4e3f-9a4b-5c6d7e8f9a0b'],
    take: [5],
    none: '88888888-8888-4888-8888-888888888888',
    group: 'deadbeef-2222-4333-9444-555566667777',
    renamed: 'node-z',
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.36' }
  const c = jsonClient(base, headers)
  const step = (name, method, path, body, isRight) => check(name, () => c(method, path, body), isRight)
  const is =
    (status, test = () => true) =>
    ({ s, b }) =>
      s === status && test(b)
  await step(
    'root',
    'GET',
    '/',
    undefined,
    is(200, ({ versions }) => versions[0].id === 'v1.0'),
  )
  await check('no token', () => jsonClient(base)('GET', '/resource_providers'), is(401))
  const list = (wanted) =>
    step(
      'list',
      'GET',
      '/resource_providers',
      undefined,
      is(200, (b) => b.resource_providers.length === wanted),
    )
  await list(0)
  for (const [uuid, name] of v.hosts)
    await step(
      'create',
      'POST',
      '/resource_providers',
      { uuid, name },
      is(200, (b) => b.uuid === uuid && b.name === name && b.generation === 0),
    )
  const [[one, first], [two]] = v.hosts
  await step('create again', 'POST', '/resource_providers', { uuid: v.none, name: first }, is(409))
  await step('create bad', 'POST', '/resource_providers', { title: first }, is(400))
  await list(v.hosts.length)
  for (const [uuid, name] of v.hosts)
    await step(
      'get',
      'GET',
      `/resource_providers/${uuid}`,
      undefined,
      is(200, (b) => b.name === name),
    )
  await step('get none', 'GET', `/resource_providers/${v.none}`, undefined, is(404))
  await step(
    'by name',
    'GET',
    `/resource_providers?name=${first}`,
    undefined,
    is(200, (b) => b.resource_providers.length === 1 && b.resource_providers[0].uuid === one),
  )
  await step(
    'rename',
    'PUT',
    `/resource_providers/${one}`,
    { name: v.renamed },
    is(200, (b) => b.name === v.renamed && b.uuid === one),
  )
  const generation = async (uuid) =>
    (
      await step(
        'get',
        'GET',
        `/resource_providers/${uuid}`,
        undefined,
        is(200, (b) => b.uuid === uuid),
      )
    )?.b.generation
  await step(
    'no inventory',
    'GET',
    `/resource_providers/${one}/inventories`,
    undefined,
    is(200, (b) => Object.keys(b.inventories).length === 0),
  )
  for (const [at, uuid] of [one, two].entries()) {
    const now = await generation(uuid)
    await step(
      'put inventories',
      'PUT',
      `/resource_providers/${uuid}/inventories`,
      {
        resource_provider_generation: now,
        inventories: { VCPU: { total: v.cpus[at] }, MEMORY_MB: { total: v.cpus[at] * 1024, reserved: 512 } },
      },
      is(200, (b) => b.resource_provider_generation === now + 1 && b.inventories.VCPU.total === v.cpus[at]),
    )
  }
  await step(
    'put inventories late',
    'PUT',
    `/resource_providers/${one}/inventories`,
    { resource_provider_generation: 0, inventories: {} },
    is(409),
  )
  await step(
    'inventories',
    'GET',
    `/resource_providers/${one}/inventories`,
    undefined,
    is(200, (b) => b.inventories.VCPU.total === v.cpus[0] && b.inventories.MEMORY_MB.reserved === 512),
  )
  await step(
    'inventory',
    'GET',
    `/resource_providers/${two}/inventories/VCPU`,
    undefined,
    is(200, (b) => b.total === v.cpus[1]),
  )
  await step('inventory none', 'GET', `/resource_providers/${two}/inventories/PCPU`, undefined, is(404))
  await step('put class', 'PUT', `/resource_classes/${v.resource}`, undefined, is(201))
  await step('put class again', 'PUT', `/resource_classes/${v.resource}`, undefined, is(204))
  await step(
    'class',
    'GET',
    `/resource_classes/${v.resource}`,
    undefined,
    is(200, (b) => b.name === v.resource),
  )
  await step(
    'put inventory',
    'POST',
    `/resource_providers/${one}/inventories`,
    { resource_provider_generation: await generation(one), resource_class: v.resource, total: 2 },
    is(201, (b) => b.total === 2),
  )
  for (const trait of v.traits) await step('put trait', 'PUT', `/traits/${trait}`, undefined, is(201))
  await step('put trait again', 'PUT', `/traits/${v.traits[0]}`, undefined, is(204))
  await step('trait', 'GET', `/traits/${v.traits[0]}`, undefined, is(204))
  await step('trait none', 'GET', `/traits/CUSTOM_NONE_${which}`, undefined, is(404))
  await step('put trait bad', 'PUT', `/traits/${which.toLowerCase()}_bad`, undefined, is(400))
  await step(
    'put traits',
    'PUT',
    `/resource_providers/${one}/traits`,
    { resource_provider_generation: await generation(one), traits: v.traits },
    is(200, (b) => b.traits.toSorted().join() === v.traits.toSorted().join()),
  )
  await step(
    'traits of',
    'GET',
    `/resource_providers/${one}/traits`,
    undefined,
    is(200, (b) => b.traits.length === v.traits.length),
  )
  await step(
    'put aggregates',
    'PUT',
    `/resource_providers/${two}/aggregates`,
    { resource_provider_generation: await generation(two), aggregates: [v.group] },
    is(200, (b) => b.aggregates[0] === v.group),
  )
  await step(
    'aggregates',
    'GET',
    `/resource_providers/${two}/aggregates`,
    undefined,
    is(200, (b) => b.aggregates[0] === v.group),
  )
  await step(
    'candidates',
    'GET',
    `/allocation_candidates?resources=VCPU:${v.take[0]}`,
    undefined,
    is(200, (b) => b.allocation_requests.length > 0),
  )
  for (const [at, user] of v.users.entries()) {
    await step(
      'allocate',
      'PUT',
      `/allocations/${user}`,
      {
        allocations: { [one]: { resources: { VCPU: v.take[at] } } },
        ...{ project_id: `project-${which}`, user_id: `user-${at}`, consumer_generation: null },
      },
      is(204),
    )
    await step(
      'allocation',
      'GET',
      `/allocations/${user}`,
      undefined,
      is(200, (b) => b.allocations[one].resources.VCPU === v.take[at]),
    )
  }
  await step(
    'allocation none',
    'GET',
    `/allocations/${v.none}`,
    undefined,
    is(200, (b) => Object.keys(b.allocations).length === 0),
  )
  await step(
    'usages',
    'GET',
    `/resource_providers/${one}/usages`,
    undefined,
    is(200, (b) => b.usages.VCPU === v.take.reduce((sum, each) => sum + each, 0)),
  )
  await step(
    'allocations of',
    'GET',
    `/resource_providers/${one}/allocations`,
    undefined,
    is(200, (b) => Object.keys(b.allocations).length === v.users.length),
  )
  await step('delete in use', 'DELETE', `/resource_providers/${one}`, undefined, is(409))
  await step('free', 'DELETE', `/allocations/${v.users[0]}`, undefined, is(204))
  await step('free again', 'DELETE', `/allocations/${v.users[0]}`, undefined, is(404))
  await step('delete', 'DELETE', `/resource_providers/${two}`, undefined, is(204))
  await step('get none', 'GET', `/resource_providers/${two}`, undefined, is(404))
  await step('delete none', 'DELETE', `/resource_providers/${two}`, undefined, is(404))
  await list(v.hosts.length - 1)
}
