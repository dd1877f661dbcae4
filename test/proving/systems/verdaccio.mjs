import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startServer } from '../server.ts'

export const needs = ['npm']

// What npm itself is made of, as it is installed.
const installed = () => {
  const folder = execFileSync('npm', ['root', '-g'], { encoding: 'utf8' }).trim()
  return createRequire(join(folder, 'npm/package.json'))
}
const VERDACCIO = createRequire(import.meta.url).resolve('verdaccio/bin/verdaccio')

export function start(directory) {
  const file = join(directory, 'config.yaml')
  const lines = [
    `storage: ${join(directory, 'storage')}`,
    `auth: { htpasswd: { file: ${join(directory, 'htpasswd')}, algorithm: bcrypt, rounds: 4 } }`,
    'uplinks: {}',
    "packages: { '**': { access: $authenticated, publish: $authenticated, unpublish: $authenticated } }",
    'web: { enable: false }',
    'log: { type: stdout, level: warn }',
  ]
  writeFileSync(file, lines.join('\n'))
  return startServer(
    process.execPath,
    (port) => [VERDACCIO, '--config', file, '--listen', `127.0.0.1:${port}`],
    { isUp: async (url) => (await fetch(`${url}/-/ping`)).ok },
  )
}

const VALUES = {
  A: {
    users: [
      ['ada', 'analytical-1'],
      ['bob', 'builder-22x'],
    ],
    pkgs: [
      ['tiny', ['1.0.0', '1.1.0', '2.0.0']],
      ['@team/util', ['0.1.0', '0.2.0']],
      ['gone', ['1.0.0']],
    ],
    tag: 'next',
    wrong: 'nope-9x',
  },
  B: {
    users: [
      ['carol', 'countess-7y'],
      ['dan', 'danish-88q'],
      ['eve', 'evening-4z'],
    ],
    pkgs: [
      ['large', ['3.0.0', '3.0.1']],
      ['@crew/lib', ['5.0.0', '5.1.0', '6.0.0']],
      ['left', ['0.0.1']],
      ['other', ['1.2.3']],
    ],
    tag: 'beta',
    wrong: 'wrong-3k',
  },
}
export async function session(base, which, check) {
  const npm = installed()
  const { publish, unpublish } = npm('libnpmpublish')
  const profile = npm('npm-profile')
  const fetchReg = npm('npm-registry-fetch')
  const { users, pkgs, tag, wrong } = VALUES[which]
  const registry = `${base}/`
  const host = registry.replace(/^http:/, '')
  const o = (token, more = {}) => ({
    registry,
    ...(token && { [`${host}:_authToken`]: token }),
    fetchRetries: 0,
    ...more,
  })
  const tokens = []
  const caught = async (p) => {
    try {
      return await p()
    } catch (e) {
      return { failed: e.statusCode ?? e.code }
    }
  }
  await check(
    'a package unknown, nobody logged in',
    () => caught(() => fetchReg.json('/nothing-here', o())),
    (r) => r.failed === 401,
  )
  for (const [name, password] of users)
    await check(
      `adduser ${name}`,
      async () => {
        const r = await profile.adduserCouch(name, `${name}@x.test`, password, o())
        tokens.push(r.token)
        return r
      },
      (r) => r.ok !== false && typeof r.token === 'string' && r.username === name,
    )
  const [a, b] = tokens
  await check(
    'whoami',
    () => fetchReg.json('/-/whoami', o(a)),
    (r) => r.username === users[0][0],
  )
  await check(
    'whoami of the other',
    () => fetchReg.json('/-/whoami', o(b)),
    (r) => r.username === users[1][0],
  )
  await check(
    'a login again',
    () => profile.loginCouch(users[0][0], users[0][1], o()),
    (r) => typeof r.token === 'string',
  )
  await check(
    'a wrong password',
    () => caught(() => profile.loginCouch(users[0][0], wrong, o())),
    (r) => r.failed === 401,
  )
  await check(
    'a taken name',
    () => caught(() => profile.adduserCouch(users[1][0], 'x@x.test', wrong, o())),
    (r) => r.failed === 401 || r.failed === 409,
  )
  for (const [name, versions] of pkgs)
    for (const [i, version] of versions.entries()) {
      const manifest = {
        name,
        version,
        description: `The ${name} of ${which}`,
        license: 'MIT',
        keywords: [name],
        dependencies: {},
      }
      await check(
        `publish ${name}@${version}`,
        () =>
          publish(
            manifest,
            Buffer.from(`tarball of ${name} ${version}`),
            o(i % 2 ? b : a, { access: 'public', algorithms: ['sha512'], npmVersion: 'x' }),
          ),
        (r) => r.ok === true || r.status === 201 || r !== undefined,
      )
    }
  const enc = (n) => n.replace('/', '%2f')
  const get = (path, token = a, more) => caught(() => fetchReg.json(path, o(token, more)))
  await check(
    'publish without a login',
    () =>
      caught(() =>
        publish({ name: 'nobody', version: '1.0.0' }, Buffer.from('x'), o(undefined, { access: 'public' })),
      ),
    (r) => r.failed === 401,
  )
  await check(
    'publish the same again',
    () =>
      caught(() =>
        publish({ name: pkgs[0][0], version: pkgs[0][1][0] }, Buffer.from('x'), o(a, { access: 'public' })),
      ),
    (r) => r.failed === 409 || r.failed === 'EPUBLISHCONFLICT' || r.failed === 403,
  )
  for (const [name, versions] of pkgs) {
    await check(
      `packument ${name}`,
      () => get(`/${enc(name)}`),
      (r) =>
        r.name === name &&
        Object.keys(r.versions).join() === versions.join() &&
        r['dist-tags'].latest === versions.at(-1),
    )
    await check(
      `abbreviated ${name}`,
      () => get(`/${enc(name)}`, b, { headers: { accept: 'application/vnd.npm.install-v1+json' } }),
      (r) => r.name === name && Object.keys(r.versions).join() === versions.join(),
    )
  }
  await check(
    'a version',
    () => get(`/${pkgs[0][0]}/${pkgs[0][1][1]}`),
    (r) => r.version === pkgs[0][1][1] && r.description.includes(pkgs[0][0]),
  )
  await check(
    'a tag as version',
    () => get(`/${pkgs[0][0]}/latest`),
    (r) => r.version === pkgs[0][1].at(-1),
  )
  await check(
    'a version that is not',
    () => get(`/${pkgs[0][0]}/9.9.9`),
    (r) => r.failed === 404,
  )
  await check(
    'a package that is not',
    () => get(`/missing-${which.toLowerCase()}`),
    (r) => r.failed === 404,
  )
  await check(
    'tags',
    () => get(`/-/package/${pkgs[0][0]}/dist-tags`),
    (r) => r.latest === pkgs[0][1].at(-1),
  )
  await check(
    'add a tag',
    () =>
      caught(() =>
        fetchReg(`/-/package/${pkgs[0][0]}/dist-tags/${tag}`, {
          ...o(a),
          method: 'PUT',
          body: JSON.stringify(pkgs[0][1][0]),
          headers: { 'content-type': 'application/json' },
        }).then((r) => r.status),
      ),
    (r) => r === 201 || r === 200,
  )
  await check(
    'tags after it',
    () => get(`/-/package/${pkgs[0][0]}/dist-tags`),
    (r) => r[tag] === pkgs[0][1][0],
  )
  await check(
    'the tag as version',
    () => get(`/${pkgs[0][0]}/${tag}`),
    (r) => r.version === pkgs[0][1][0],
  )
  await check(
    'take the tag away',
    () =>
      caught(() =>
        fetchReg(`/-/package/${pkgs[0][0]}/dist-tags/${tag}`, { ...o(b), method: 'DELETE' }).then(
          (r) => r.status,
        ),
      ),
    (r) => r === 201 || r === 200,
  )
  await check(
    'tags after that',
    () => get(`/-/package/${pkgs[0][0]}/dist-tags`),
    (r) => r[tag] === undefined,
  )
  await check(
    'a tarball',
    async () => {
      const p = await get(`/${enc(pkgs[1][0])}`)
      const r = await fetchReg(p.versions[pkgs[1][1][0]].dist.tarball.replace(/^http:\/\/[^/]+\//, '/'), o(a))
      return (await r.buffer()).toString()
    },
    (r) => r === `tarball of ${pkgs[1][0]} ${pkgs[1][1][0]}`,
  )
  await check(
    'a search',
    () => get(`/-/v1/search?text=${pkgs[0][0]}`),
    (r) => r.objects?.[0]?.package.name === pkgs[0][0],
  )
  const [, [scoped, [first]]] = pkgs
  const change = async (edit, place = (rev) => `/-rev/${rev}`) => {
    const whole = await get(`/${enc(scoped)}?write=true`)
    const body = edit(whole)
    const response = await fetchReg(`/${enc(scoped)}${place(whole._rev)}`, { ...o(a), method: 'PUT', body })
    return response.status
  }
  const last = pkgs[1][1].at(-1)
  const deprecate = (whole) => {
    whole.versions[last].deprecated = `Not ${which} any more`
    return whole
  }
  await check(
    'deprecate',
    () => change(deprecate, () => ''),
    (r) => r === 201,
  )
  await check(
    'the deprecated version',
    () => get(`/${enc(scoped)}/${last}`),
    (r) => r.deprecated === `Not ${which} any more`,
  )
  await check(
    'take back a version',
    () =>
      change((whole) => {
        delete whole.versions[first]
        return whole
      }),
    (r) => r === 201,
  )
  await check(
    'without it',
    () => get(`/${enc(scoped)}`),
    (r) => Object.keys(r.versions).join() === pkgs[1][1].slice(1).join(),
  )
  await check(
    'the version taken back',
    () => get(`/${enc(scoped)}/${first}`),
    (r) => r.failed === 404,
  )
  await check(
    'unpublish',
    () => caught(() => unpublish(pkgs[2][0], o(a, { force: true }))),
    (r) => r === true,
  )
  await check(
    'gone after it',
    () => get(`/${pkgs[2][0]}`),
    (r) => r.failed === 404,
  )
  await check(
    'a token that is none',
    () => get('/-/whoami', 'abcdef0123456789'),
    (r) => r.failed === 401 || r.username === undefined,
  )
  await check(
    'log out',
    () => caught(() => fetchReg(`/-/user/token/${b}`, { ...o(b), method: 'DELETE' }).then((r) => r.status)),
    (r) => r === 201 || r === 200,
  )
}
