import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { startSim } from '../../flow/sim-process.ts'
import { runCommand, startServer } from '../server.ts'

export const needs = ['npm']

const VERDACCIO = createRequire(import.meta.url).resolve('verdaccio/bin/verdaccio')

export function start(directory) {
  const file = join(directory, 'config.yaml')
  const lines = [
    `storage: ${join(directory, 'storage')}`,
    `auth: { htpasswd: { file: ${join(directory, 'htpasswd')}, algorithm: bcrypt, rounds: 4 } }`,
    'uplinks: {}',
    "packages: { '**': { access: $all, publish: $authenticated, unpublish: $authenticated } }",
    'web: { enable: false }',
    'log: { type: stdout, level: warn }',
  ]
  writeFileSync(file, lines.join('\n'))
  return startServer(
    process.execPath,
    (port) => [VERDACCIO, '--config', file, '--listen', `127.0.0.1:${port}`],
    {
      isUp: async (url) => (await fetch(`${url}/-/ping`)).ok,
    },
  )
}

/** npm with settings, a cache and a user of its own. @param proxy the URL of a proxy for all requests */
function createNpm(directory, registry, proxy) {
  const env = {
    npm_config_cache: join(directory, 'cache'),
    npm_config_userconfig: join(directory, 'npmrc'),
    npm_config_registry: `${registry}/`,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_fetch_retries: '0',
    ...(proxy !== undefined && {
      npm_config_proxy: proxy,
      npm_config_noproxy: '',
      NO_PROXY: '',
      no_proxy: '',
      HTTP_PROXY: proxy,
    }),
  }
  mkdirSync(directory, { recursive: true })
  writeFileSync(env.npm_config_userconfig, '')
  return {
    login: (token) =>
      writeFileSync(env.npm_config_userconfig, `//${registry.replace('http://', '')}/:_authToken=${token}\n`),
    async run(folder, ...args) {
      const { code, stdout, stderr } = await runCommand('npm', args, { cwd: folder, env })
      return { code, stdout, stderr }
    },
  }
}

const VERSIONS = [
  { name: 'small-a', version: '1.0.0', dependencies: {} },
  { name: 'small-a', version: '1.2.0', dependencies: {} },
  { name: 'small-a', version: '2.0.0', dependencies: {} },
  { name: 'small-b', version: '1.0.0', dependencies: { 'small-a': '^1.0.0' } },
  { name: 'small-c', version: '0.1.0', dependencies: { 'small-a': '2.0.0', 'small-b': '*' } },
]

/** Publishes, tags, looks up and deprecates; gives what npm printed, and its exit codes. */
async function publish(registry, directory) {
  const npm = createNpm(directory, registry)
  const user = { name: 'ada', password: 'example-password-1', email: 'ada@example.com', type: 'user' }
  const response = await fetch(`${registry}/-/user/org.couchdb.user:ada`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  })
  npm.login((await response.json()).token)
  const said = []
  const run = async (folder, ...args) => {
    const { code, stdout, stderr } = await npm.run(folder, ...args)
    const failure = /code (\w+)/.exec(stderr)?.[1] ?? ''
    said.push(`npm ${args.join(' ')}: ${code} ${failure} ${stdout.trim().replaceAll(registry, 'REGISTRY')}`)
  }
  await run(directory, 'whoami')
  for (const { name, version, dependencies } of VERSIONS) {
    const folder = join(directory, `${name}-${version}`)
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version, main: 'index.js', license: 'MIT', keywords: ['small'], dependencies }),
    )
    writeFileSync(join(folder, 'index.js'), `module.exports = '${name} ${version}'\n`)
    await run(folder, 'publish')
  }
  await run(join(directory, 'small-a-1.0.0'), 'publish')
  await run(directory, 'dist-tag', 'add', 'small-a@1.2.0', 'next')
  await run(directory, 'dist-tag', 'ls', 'small-a')
  await run(directory, 'view', 'small-a', 'versions', '--json')
  await run(directory, 'view', 'small-b', 'dependencies', '--json')
  await run(directory, 'view', 'no-such-package', '--json')
  await run(directory, 'deprecate', 'small-a@1.0.0', 'old')
  await run(directory, 'view', 'small-a@1.0.0', 'deprecated')
  return said
}

/** Installs into an empty folder; gives what is installed, and the hashes and versions of the lock file. */
async function install(npm, directory) {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    join(directory, 'package.json'),
    JSON.stringify({ name: 'app', version: '1.0.0', dependencies: { 'small-c': '*', 'small-b': '1.0.0' } }),
  )
  const { code, stderr } = await npm.run(directory, 'install')
  if (code !== 0) return { failure: stderr.slice(-300) }
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
  const script = 'console.log(["small-a", "small-b", "small-c"].map((name) => require(name)).join())'
  const { stdout } = await runCommand(process.execPath, ['-e', script], { cwd: directory })
  const locked = Object.entries(packages).map(([path, { version, integrity }]) => [
    path,
    version,
    integrity ?? '',
  ])
  return { stdout, locked }
}

/**
 * Publishing and installing through sim; then all of it again with the registry gone: by base URL and as a proxy, each
 * with an empty cache and with a warm one. Every install has to give what the first gave, byte by byte.
 */
export async function proveItself(directory, note) {
  const at = (...names) => join(directory, ...names)
  const recording = at('npm')
  const registry = await start(made(at('registry')))
  // Packages say where their archives are; with these rewritten npm gets them by way of the gateway, too.
  const recorder = await startSim([
    'proxy',
    '--upstream',
    registry.url,
    '--rewrite-bodies',
    '--record',
    recording,
  ])
  const published = await publish(recorder.url, at('published'))
  const npm = createNpm(at('client'), recorder.url)
  const installed = await install(npm, at('installed'))
  const again = await install(npm, at('installed-again'))
  await recorder.stop()
  const proxied = at('npm-by-proxy')
  const tap = await startSim(['proxy', '--allow-host', '127.0.0.1', '--record', proxied])
  const tapped = await install(createNpm(at('tapped-client'), registry.url, tap.url), at('tapped'))
  await tap.stop()
  await registry.stop()
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other)
  const compare = async (what, value, folder) => {
    const { code, stdout } = await runCommand('diff', [
      '-r',
      '-x',
      '.package-lock.json',
      at('installed/node_modules'),
      join(folder, 'node_modules'),
    ])
    const ok = value.failure === undefined && isSame(value, installed) && code === 0
    note(what, ok, [JSON.stringify(value).slice(0, 300), stdout.slice(0, 300)])
  }
  await compare('install while it is recorded', installed, at('installed'))
  await compare('install again while it is recorded', again, at('installed-again'))

  const replay = ['proxy', '--mode', 'replay', '--recording', recording]
  const player = await startSim(replay)
  const republished = await publish(player.url, at('republished'))
  const differing = republished.flatMap((line, index) =>
    line === published[index] ? [] : [`${line} in place of ${published[index]}`],
  )
  note('publish with the registry gone', differing.length === 0, differing)
  const empty = createNpm(at('empty'), player.url)
  await compare('install with an empty cache', await install(empty, at('from-empty')), at('from-empty'))
  await compare('install with a warm cache', await install(empty, at('from-warm')), at('from-warm'))
  cpSync(at('client/cache'), at('kept/cache'), { recursive: true })
  const kept = createNpm(at('kept'), player.url)
  await compare('install with the cache of before', await install(kept, at('from-kept')), at('from-kept'))
  await player.stop()

  await compare('install while it is recorded by proxy', tapped, at('tapped'))
  const second = await startSim(['proxy', '--mode', 'replay', '--recording', proxied])
  const twice = createNpm(at('second'), registry.url, second.url)
  await compare(
    'install by proxy as recorded by proxy',
    await install(twice, at('second-empty')),
    at('second-empty'),
  )
  await compare('the same with a warm cache', await install(twice, at('second-warm')), at('second-warm'))
  await second.stop()

  const proxy = await startSim(replay)
  const byProxy = createNpm(at('by-proxy'), registry.url, proxy.url)
  await compare(
    'install by proxy with an empty cache',
    await install(byProxy, at('proxy-empty')),
    at('proxy-empty'),
  )
  await compare(
    'install by proxy with a warm cache',
    await install(byProxy, at('proxy-warm')),
    at('proxy-warm'),
  )
  await proxy.stop()
}

function made(directory) {
  mkdirSync(directory, { recursive: true })
  return directory
}
