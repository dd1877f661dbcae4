import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, startServer } from '../server.ts'

export const needs = ['glance-api', 'glance-manage']

export const short = { drift: 'names that were never found are literal paths in recording A alone' }

// Who sends a request is known by headers, as Keystone's middleware gives them to Glance.
const PASTE = `
[pipeline:glance-api]
pipeline = context rootapp
[filter:context]
paste.filter_factory = glance.api.middleware.context:ContextMiddleware.factory
[composite:rootapp]
paste.composite_factory = glance.api:root_app_factory
/: apiversions
/v2: apiv2app
[app:apiversions]
paste.app_factory = glance.api.versions:create_resource
[app:apiv2app]
paste.app_factory = glance.api.v2.router:API.factory
`

const WHO = {
  'x-identity-status': 'Confirmed',
  'x-user-id': 'e7b4a3c2d1f04b5e8a9c0d1e2f3a4b5c',
  'x-tenant-id': '4c5b6a79889706152433a4b5c6d7e8f9',
  'x-roles': 'admin,member,reader',
}

/** What OpenStack keeps images in: patches of JSON, tags and members below items, data apart, and definitions by name. */
export async function start(directory) {
  const stores = ['images', 'staging', 'tasks'].map((name) => join(directory, name))
  for (const store of stores) mkdirSync(store, { recursive: true })
  const file = join(directory, 'glance.conf')
  const configure = (port) =>
    writeFileSync(
      file,
      [
        ...['[DEFAULT]', 'bind_host = 127.0.0.1', `bind_port = ${port}`, 'workers = 0'],
        'enabled_backends = file:file',
        ...['[database]', `connection = sqlite:///${join(directory, 'glance.db')}`],
        ...['[paste_deploy]', 'flavor =', `config_file = ${join(directory, 'paste.ini')}`],
        ...['[glance_store]', 'default_backend = file', '[file]', `filesystem_store_datadir = ${stores[0]}`],
        ...['[os_glance_staging_store]', `filesystem_store_datadir = ${stores[1]}`],
        ...['[os_glance_tasks_store]', `filesystem_store_datadir = ${stores[2]}`, ''],
      ].join('\n'),
    )
  configure(0)
  writeFileSync(join(directory, 'paste.ini'), PASTE)
  const { code, stderr } = await runCommand('glance-manage', ['--config-file', file, 'db_sync'])
  if (code !== 0) throw new Error(`glance-manage: ${stderr.slice(-1000)}`)
  return startServer(
    'glance-api',
    (port) => {
      configure(port)
      return ['--config-file', file]
    },
    { isUp: async (url) => (await fetch(`${url}/v2/images`, { headers: WHO })).ok },
  )
}

const VALUES = {
  A: {
    images: [
      {
        name: 'debian-12',
        disk_format: 'qcow2',
        container_format: 'bare',
        tags: ['linux', 'stable', 'arm', 'cloud'],
      },
      { name: 'debian-13', disk_format: 'raw', container_format: 'bare', os_distro: 'debian' },
      { name: 'installer', disk_format: 'iso', container_format: 'bare', min_disk: 2, min_ram: 512 },
      { name: 'empty' },
    ],
    data: ['the bytes of an image\n', 'other bytes, which are more than those\n'],
    ...{ renamed: 'debian-12.1', property: ['os_version', '12.1'], changed: '12.2', ram: 1024 },
    tags: ['golden', 'tested'],
    members: ['5e1a6b0b7c8f4f0e9d3c2b1a09876543', '0f1e2d3c4b5a69788796a5b4c3d2e1f0'],
    none: '11111111-2222-4333-8444-555555555555',
    limit: 2,
    bad: 'floppy',
    namespaces: [
      ['Example::Compute', 'Compute', 'What computes'],
      ['Example::Storage', 'Storage', 'What stores'],
    ],
    objects: ['CPU Limits', 'Disk Limits'],
    properties: [
      ['cpu_cores', 'integer'],
      ['disk_type', 'string'],
      ['is_fast', 'boolean'],
    ],
    metaTags: ['alpha', 'beta', 'gamma'],
    kinds: ['OS::Glance::Image', 'OS::Nova::Flavor'],
  },
  B: {
    images: [
      { name: 'fedora', disk_format: 'vmdk', container_format: 'ovf', min_ram: 2048 },
      { name: 'alpine', disk_format: 'qcow2', container_format: 'bare', tags: ['small'] },
      { name: 'rescue', os_distro: 'arch', os_type: 'linux' },
      { name: 'windows', disk_format: 'vhd', container_format: 'bare', tags: ['big', 'licensed', 'old'] },
      { name: 'appliance', disk_format: 'raw', container_format: 'bare' },
    ],
    data: ['alpine is small', 'this is what windows is, which has many more bytes than that\n'],
    ...{ renamed: 'fedora-41', property: ['build', 'nightly'], changed: 'weekly', ram: 4096 },
    tags: ['reviewed', 'blue', 'canary'],
    members: ['aabbccddeeff00112233445566778899'],
    none: '66666666-7777-4888-9999-aaaaaaaaaaaa',
    limit: 3,
    bad: 'tape',
    namespaces: [
      ['Acme::Net', 'Networks', 'All that connects'],
      ['Acme::Gpu', 'Graphics', 'All that draws'],
      ['Acme::Old', 'Old things', 'What nobody needs'],
    ],
    objects: ['Quota', 'Limits', 'Shares'],
    properties: [
      ['vlan', 'string'],
      ['mtu', 'integer'],
    ],
    metaTags: ['red', 'green'],
    kinds: ['OS::Nova::Server'],
  },
}

/** What `glanceclient` sends. */
export async function session(base, which, check) {
  const v = VALUES[which]
  const request = async (method, path, body, type = 'application/json') => {
    const isText = typeof body === 'string'
    const response = await fetch(path.startsWith('http') ? path : `${base}${path}`, {
      method,
      headers: { ...WHO, accept: '*/*', ...(body && { 'content-type': type }) },
      ...(body && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { s: response.status, h: response.headers, b: isJson ? JSON.parse(text) : text }
  }
  const step = (name, method, path, body, isRight = () => true, status = 200) =>
    check(
      name,
      () => request(method, path, body),
      ({ s, b, h }) => s === status && isRight(b, h),
    )
  const get = (name, path, isRight) => step(name, 'GET', path, undefined, isRight)
  const fails = (name, method, path, body, status) => step(name, method, path, body, undefined, status)
  const patch = (name, id, ops, isRight, status = 200) =>
    check(
      name,
      () => request('PATCH', `/v2/images/${id}`, ops, 'application/openstack-images-v2.1-json-patch'),
      ({ s, b }) => s === status && isRight(b),
    )
  const set = (name, id, field, value) =>
    patch(name, id, [{ op: 'replace', path: `/${field}`, value }], (b) => b[field] === value)
  const upload = (name, id, data, status = 204) =>
    check(
      name,
      () => request('PUT', `/v2/images/${id}/file`, data, 'application/octet-stream'),
      ({ s }) => s === status,
    )
  const names = (b) => b.images.map(({ name }) => name).toSorted()
  const same = (some, others) => some.toSorted().join() === others.toSorted().join()

  const schema = (await get('schema', '/v2/schemas/image', (b) => 'disk_format' in b.properties))?.b
  await get('schema of images', '/v2/schemas/images', (b) => b.name === 'images' && schema !== undefined)
  await get('no images', '/v2/images', (b) => b.images.length === 0)
  const ids = []
  for (const image of v.images) {
    const made = await step(
      'create',
      'POST',
      '/v2/images',
      { ...image, visibility: 'shared' },
      (b, h) =>
        Object.entries(image).every(([name, value]) =>
          Array.isArray(value) ? same(value, b[name]) : b[name] === value,
        ) &&
        b.status === 'queued' &&
        h.get('location').endsWith(`/v2/images/${b.id}`),
      201,
    )
    ids.push(made?.b.id)
  }
  await get('image', `/v2/images/${ids[1]}`, (b) => b.name === v.images[1].name && b.self.endsWith(ids[1]))
  await fails('bad format', 'POST', '/v2/images', { name: 'x', disk_format: v.bad }, 400)
  await fails('image none', 'GET', `/v2/images/${v.none}`, undefined, 404)
  const sorted = v.images.map(({ name }) => name).toSorted()
  await get('images', '/v2/images', (b) => same(names(b), sorted))
  await get(
    'images by name',
    `/v2/images?name=${v.images[2].name}`,
    (b) => b.images.length === 1 && b.images[0].id === ids[2],
  )
  await get('images by format', `/v2/images?disk_format=${v.images[0].disk_format}`, (b) =>
    same(
      names(b),
      v.images.filter(({ disk_format }) => disk_format === v.images[0].disk_format).map(({ name }) => name),
    ),
  )
  await get(
    'images by order',
    '/v2/images?sort_key=name&sort_dir=asc',
    (b) => b.images.map(({ name }) => name).join() === sorted.join(),
  )
  await get(
    'images by order',
    '/v2/images?sort_key=name&sort_dir=desc',
    (b) => b.images.map(({ name }) => name).join() === sorted.toReversed().join(),
  )
  let next = `/v2/images?limit=${v.limit}&sort_key=name&sort_dir=asc`
  const walked = []
  while (next !== undefined && walked.length < 20) {
    const at = walked.length
    const page = await get(
      'page',
      next,
      (b) =>
        b.images.map(({ name }) => name).join() === sorted.slice(at, at + v.limit).join() &&
        (b.next !== undefined) === (b.images.length === v.limit),
    )
    walked.push(...(page?.b.images ?? [{}]))
    next = page?.b.next
  }
  await set('rename', ids[0], 'name', v.renamed)
  await get('image', `/v2/images/${ids[0]}`, (b) => b.name === v.renamed)
  const [property, value] = v.property
  await patch(
    'add property',
    ids[0],
    [{ op: 'add', path: `/${property}`, value }],
    (b) => b[property] === value,
  )
  await patch(
    'change two',
    ids[0],
    [
      { op: 'replace', path: `/${property}`, value: v.changed },
      { op: 'replace', path: '/min_ram', value: v.ram },
    ],
    (b) => b[property] === v.changed && b.min_ram === v.ram,
  )
  await get('image', `/v2/images/${ids[0]}`, (b) => b[property] === v.changed && b.min_ram === v.ram)
  await patch('remove property', ids[0], [{ op: 'remove', path: `/${property}` }], (b) => !(property in b))
  await get('image', `/v2/images/${ids[0]}`, (b) => !(property in b))
  await patch('remove none', ids[0], [{ op: 'remove', path: `/${property}` }], () => true, 409)
  await patch('patch none', v.none, [{ op: 'replace', path: '/name', value: 'x' }], () => true, 404)

  for (const tag of v.tags)
    await step('tag', 'PUT', `/v2/images/${ids[1]}/tags/${tag}`, undefined, undefined, 204)
  const tags = v.images[1].tags ?? []
  await get('image', `/v2/images/${ids[1]}`, (b) => same(b.tags, [...tags, ...v.tags]))
  await get(
    'images by tag',
    `/v2/images?tag=${v.tags[1]}`,
    (b) => b.images.map(({ id }) => id).join() === ids[1],
  )
  await step('untag', 'DELETE', `/v2/images/${ids[1]}/tags/${v.tags[0]}`, undefined, undefined, 204)
  await fails('untag again', 'DELETE', `/v2/images/${ids[1]}/tags/${v.tags[0]}`, undefined, 404)
  await get('image', `/v2/images/${ids[1]}`, (b) => same(b.tags, [...tags, ...v.tags.slice(1)]))
  await fails('tag none', 'PUT', `/v2/images/${v.none}/tags/${v.tags[0]}`, undefined, 404)

  await step('no data', 'GET', `/v2/images/${ids[0]}/file`, undefined, undefined, 204)
  const [target, second] = which === 'A' ? [0, 1] : [1, 3]
  await upload('upload', ids[target], v.data[0])
  await upload('upload', ids[second], v.data[1])
  await get(
    'uploaded',
    `/v2/images/${ids[target]}`,
    (b) => b.status === 'active' && b.size === Buffer.byteLength(v.data[0]),
  )
  await get('download', `/v2/images/${ids[target]}/file`, (b) => b === v.data[0])
  await get('download', `/v2/images/${ids[second]}/file`, (b) => b === v.data[1])
  await upload('upload again', ids[target], v.data[1], 409)
  await upload('upload none', v.none, 'x', 404)
  await get(
    'images by status',
    '/v2/images?status=active',
    (b) => b.images.length === 2 && b.images.every(({ status }) => status === 'active'),
  )
  const act = (what, id) => step(what, 'POST', `/v2/images/${id}/actions/${what}`, undefined, undefined, 204)
  await act('deactivate', ids[target])
  await get('image', `/v2/images/${ids[target]}`, (b) => b.status === 'deactivated')
  await act('reactivate', ids[target])
  await get('image', `/v2/images/${ids[target]}`, (b) => b.status === 'active')

  const members = `/v2/images/${ids[target]}/members`
  await get('no members', members, (b) => b.members.length === 0)
  for (const member of v.members)
    await step(
      'share',
      'POST',
      members,
      { member },
      (b) => b.member_id === member && b.image_id === ids[target] && b.status === 'pending',
    )
  await fails('share again', 'POST', members, { member: v.members[0] }, 409)
  const idsIn = (b) => b.members.map((each) => each.member_id)
  await get('members', members, (b) => same(idsIn(b), v.members))
  await step(
    'accept',
    'PUT',
    `${members}/${v.members[0]}`,
    { status: 'accepted' },
    (b) => b.status === 'accepted',
  )
  await get('member', `${members}/${v.members[0]}`, (b) => b.status === 'accepted')
  await step('unshare', 'DELETE', `${members}/${v.members[0]}`, undefined, undefined, 204)
  await fails('member none', 'GET', `${members}/${v.members[0]}`, undefined, 404)
  await get('members', members, (b) => b.members.length === v.members.length - 1)

  await set('protect', ids[target], 'protected', true)
  await fails('delete protected', 'DELETE', `/v2/images/${ids[target]}`, undefined, 403)
  await set('unprotect', ids[target], 'protected', false)
  await step('delete', 'DELETE', `/v2/images/${ids[target]}`, undefined, undefined, 204)
  await fails('deleted', 'GET', `/v2/images/${ids[target]}`, undefined, 404)
  await fails('delete again', 'DELETE', `/v2/images/${ids[target]}`, undefined, 404)
  await get('images', '/v2/images', (b) => b.images.length === v.images.length - 1)

  const spaces = '/v2/metadefs/namespaces'
  await get('no namespaces', spaces, (b) => b.namespaces.length === 0)
  for (const [namespace, display_name, description] of v.namespaces)
    await step(
      'create namespace',
      'POST',
      spaces,
      { namespace, display_name, description, visibility: 'public' },
      (b) => b.namespace === namespace && b.display_name === display_name && b.visibility === 'public',
      201,
    )
  const [[space, , description]] = v.namespaces
  await fails('namespace again', 'POST', spaces, { namespace: space }, 409)
  await get('namespace', `${spaces}/${space}`, (b) => b.description === description)
  await fails('namespace none', 'GET', `${spaces}/None${which}`, undefined, 404)
  await get('namespaces', spaces, (b) => b.namespaces.length === v.namespaces.length)
  await step(
    'change namespace',
    'PUT',
    `${spaces}/${space}`,
    { namespace: space, description: v.renamed },
    (b) => b.description === v.renamed,
  )
  await get('namespace', `${spaces}/${space}`, (b) => b.description === v.renamed)
  for (const [name, type] of v.properties)
    await step(
      'create definition',
      'POST',
      `${spaces}/${space}/properties`,
      { name, type, title: name.toUpperCase() },
      (b) => b.name === name && b.type === type,
      201,
    )
  const [[first, type]] = v.properties
  await get('definition', `${spaces}/${space}/properties/${first}`, (b) => b.type === type)
  await get('definitions', `${spaces}/${space}/properties`, (b) =>
    v.properties.every(([name, each]) => b.properties[name]?.type === each),
  )
  await step(
    'delete definition',
    'DELETE',
    `${spaces}/${space}/properties/${first}`,
    undefined,
    undefined,
    204,
  )
  await fails('definition none', 'GET', `${spaces}/${space}/properties/${first}`, undefined, 404)
  await get(
    'definitions',
    `${spaces}/${space}/properties`,
    (b) => !(first in b.properties) && Object.keys(b.properties).length === v.properties.length - 1,
  )
  for (const name of v.objects)
    await step(
      'create object',
      'POST',
      `${spaces}/${space}/objects`,
      { name, description: `${name}!`, properties: {} },
      (b) => b.name === name && b.description === `${name}!`,
      201,
    )
  await get(
    'object',
    `${spaces}/${space}/objects/${encodeURIComponent(v.objects[1])}`,
    (b) => b.name === v.objects[1],
  )
  await get('objects', `${spaces}/${space}/objects`, (b) => b.objects.length === v.objects.length)
  for (const tag of v.metaTags)
    await step('create tag', 'POST', `${spaces}/${space}/tags/${tag}`, undefined, (b) => b.name === tag, 201)
  const tagsIn = (b) => b.tags.map((each) => each.name)
  await get('tags', `${spaces}/${space}/tags`, (b) => same(tagsIn(b), v.metaTags))
  await step('delete tag', 'DELETE', `${spaces}/${space}/tags/${v.metaTags[0]}`, undefined, undefined, 204)
  await get('tags', `${spaces}/${space}/tags`, (b) => b.tags.length === v.metaTags.length - 1)
  for (const name of v.kinds)
    await step(
      'associate',
      'POST',
      `${spaces}/${space}/resource_types`,
      { name },
      (b) => b.name === name,
      201,
    )
  await get(
    'associated',
    `${spaces}/${space}/resource_types`,
    (b) => b.resource_type_associations.length === v.kinds.length,
  )
  await step('delete namespace', 'DELETE', `${spaces}/${v.namespaces[1][0]}`, undefined, undefined, 204)
  await fails('namespace none', 'GET', `${spaces}/${v.namespaces[1][0]}`, undefined, 404)
  await get('namespaces', spaces, (b) => b.namespaces.length === v.namespaces.length - 1)
}
