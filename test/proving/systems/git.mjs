import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { runCommand } from '../server.ts'

export const needs = ['git']

/** Commits get the same hash each time, and nothing of this machine's settings. */
const ENV = {
  ...Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((who) => [
      [`GIT_${who}_NAME`, 'Ada'],
      [`GIT_${who}_EMAIL`, 'ada@example.com'],
      [`GIT_${who}_DATE`, '2024-05-01T12:00:00Z'],
    ]),
  ),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}

async function git(cwd, ...args) {
  const { code, stdout, stderr } = await runCommand(
    'git',
    ['-c', 'init.defaultBranch=main', '-c', 'pack.threads=1', ...args],
    { cwd, env: ENV },
  )
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.slice(-300)}`)
  return stdout.trim()
}

async function commit(directory, name, text) {
  writeFileSync(join(directory, name), text)
  await git(directory, 'add', name)
  await git(directory, 'commit', '-q', '-m', `Add ${name}`)
}

/** Git's own server, a CGI program (RFC 3875). */
export async function start(directory) {
  for (const name of ['shared', 'one', 'two']) {
    const path = join(directory, `${name}.git`)
    await git(directory, 'init', '-q', '--bare', path)
    await git(path, 'config', 'http.receivepack', 'true')
  }
  const first = join(directory, 'first')
  await git(directory, 'init', '-q', first)
  await commit(first, 'README', 'For all.\n'.repeat(50))
  await git(first, 'push', '-q', join(directory, 'shared.git'), 'main')
  const server = createServer((request, response) => void serve(directory, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(root, request, response) {
  const [path, query = ''] = request.url.split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...process.env,
      ...ENV,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: path,
      QUERY_STRING: query,
      REMOTE_USER: 'ada',
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
      ...(request.headers['content-encoding'] && {
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      }),
      ...(request.headers['git-protocol'] && { GIT_PROTOCOL: request.headers['git-protocol'] }),
    },
  })
  child.stdin.on('error', () => undefined)
  request.pipe(child.stdin)
  const chunks = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.stderr.resume()
  await once(child, 'close')
  const output = Buffer.concat(chunks)
  const end = output.indexOf('\r\n\r\n')
  const lines = output.subarray(0, end).toString('latin1').split('\r\n')
  const headers = lines.map((line) => line.split(/:\s*(.*)/s))
  const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
  for (const [name, value] of headers) if (name !== 'Status') response.appendHeader(name, value)
  response.writeHead(Number.parseInt(status, 10)).end(output.subarray(end + 4))
}

/** Clones what all have, pushes to its own repository, and clones that again. */
const client = (name) => async (base, check, directory) => {
  const [own, back] = ['own', 'back'].map((each) => join(directory, each))
  await check('clone shared', () => git(directory, 'clone', '-q', `${base}/shared.git`, own))
  mkdirSync(join(own, name), { recursive: true })
  for (const part of ['first', 'second']) {
    await commit(own, `${name}/${part}`, `${name} ${part}\n`.repeat(100))
    await check('push', () => git(own, 'push', '-q', `${base}/${name}.git`, 'main'))
  }
  await check('clone own', () => git(directory, 'clone', '-q', '-b', 'main', `${base}/${name}.git`, back))
  const heads = () => Promise.all([own, back].map((each) => git(each, 'rev-parse', 'HEAD')))
  await check('same commit', heads, ([mine, cloned]) => mine === cloned)
  await check(
    'same files',
    () => runCommand('diff', ['-r', '-x', '.git', own, back]),
    ({ code }) => code === 0,
  )
}

export const clients = [client('one'), client('two')]
