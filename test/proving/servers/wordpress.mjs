import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { runCommand, startServer } from '../server.ts'

const ROOT = '/usr/share/wordpress'
/** The application password of the administrator. */
const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678'

// Debian's wordpress, php-cli, php-mysql and mariadb-server.
export const needs = [existsSync(ROOT) ? 'php' : ROOT, 'mariadbd', 'mariadb-install-db', 'mariadb']

const config = (socket) => `<?php
foreach (['DB_NAME' => 'wp', 'DB_USER' => 'root', 'DB_PASSWORD' => '', 'DB_CHARSET' => 'utf8mb4', 'DB_COLLATE' => '',
  'DB_HOST' => 'localhost:${socket}', 'WP_ENVIRONMENT_TYPE' => 'local', 'WP_HTTP_BLOCK_EXTERNAL' => true,
  'DISABLE_WP_CRON' => true, 'AUTOMATIC_UPDATER_DISABLED' => true] as $name => $value) define($name, $value);
define('WP_SITEURL', 'http://' . ($_SERVER['HTTP_HOST'] ?? '127.0.0.1'));
define('WP_HOME', WP_SITEURL);
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $name) {
  define($name . '_KEY', 'key of ' . $name);
  define($name . '_SALT', 'salt of ' . $name);
}
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
`

const router = (site) => `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path !== '/' && is_file('${site}' . $path)) return false;
$_SERVER['SCRIPT_NAME'] = '/index.php';
require '${site}/index.php';
`

// Avatars are at addresses of another server.
const install = (site) => `<?php
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require '${site}/wp-config.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Test', 'admin', 'a@example.com', true, '', 'adminpw');
update_option('permalink_structure', '/%postname%/');
update_option('show_avatars', 0);
WP_Application_Passwords::create_new_application_password(1, ['name' => 'api']);
$all = get_user_meta(1, '_application_passwords', true);
$all[0]['password'] = wp_hash_password('${PASSWORD.replaceAll(' ', '')}');
update_user_meta(1, '_application_passwords', $all);
`

async function run(program, args) {
  const { code, stderr } = await runCommand(program, args)
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
}

export async function start(directory) {
  const [site, data, socket] = ['site', 'data', 's'].map((name) => join(directory, name))
  const user = `--user=${userInfo().username}`
  await run('mariadb-install-db', [
    ...['--no-defaults', `--datadir=${data}`, user, '--auth-root-authentication-method=normal'],
    '--skip-test-db',
  ])
  const database = await startServer(
    'mariadbd',
    () => ['--no-defaults', `--datadir=${data}`, user, `--socket=${socket}`, '--skip-networking'],
    { isUp: () => Promise.resolve(existsSync(socket)) },
  )
  try {
    await run('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-e', 'create database wp'])
    cpSync(ROOT, site, { recursive: true, dereference: true, filter: (file) => !file.endsWith('.htaccess') })
    mkdirSync(join(site, 'wp-content/uploads'), { recursive: true })
    writeFileSync(join(site, 'wp-config.php'), config(socket))
    writeFileSync(join(directory, 'router.php'), router(site))
    writeFileSync(join(directory, 'install.php'), install(site))
    await run('php', [join(directory, 'install.php')])
    const server = await startServer('php', (port) => [
      ...['-S', `127.0.0.1:${port}`, '-t', site],
      join(directory, 'router.php'),
    ])
    return {
      url: server.url,
      async stop() {
        await server.stop()
        await database.stop()
      },
    }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** An image of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** What each session names things. */
export const WORDS = {
  A: {
    cats: [
      ['News', 'all news'],
      ['Tips', ''],
    ],
    tags: ['red', 'blue', 'green'],
    users: [['ann', 'ann@example.com', 'Ann']],
    posts: [
      ['Hello sea', '<p>Waves of blue</p>', 'publish', 0, [0, 1]],
      ['Cooking rice', '<p>Boil it</p>', 'publish', 1, [1]],
      ['Draft one', '<p>Not yet</p>', 'draft', 0, []],
      ['Long walk', '<p>Along the sea</p>', 'publish', 0, [2]],
    ],
    search: 'sea',
    rename: 'Hello ocean',
    pages: [
      ['About', 'about us', 0],
      ['Contact', 'mail us', 1],
    ],
    comments: [
      [0, 'Nice post', 'Zed', 'zed@example.com'],
      [0, 'I agree', 'Yan', 'yan@example.com'],
      [1, 'Tasty', 'Zed', 'zed@example.com'],
    ],
    title: 'My site',
    none: 99999,
    media: 'photo-a.png',
  },
  B: {
    cats: [
      ['Travel', 'trips'],
      ['Food', 'dishes'],
      ['Work', ''],
    ],
    tags: ['fast', 'slow'],
    users: [
      ['bob', 'bob@example.org', 'Bob'],
      ['cleo', 'cleo@example.org', 'Cleo'],
    ],
    posts: [
      ['Rome', '<p>Seven hills</p>', 'publish', 0, [0]],
      ['Pasta', '<p>With hills of cheese</p>', 'publish', 1, [0, 1]],
      ['Meeting', '<p>Monday</p>', 'draft', 2, []],
      ['Paris', '<p>River</p>', 'publish', 0, []],
      ['Soup', '<p>Hot</p>', 'publish', 1, [1]],
    ],
    search: 'hills',
    rename: 'Rome again',
    pages: [
      ['Team', 'people', 0],
      ['Jobs', 'open', 1],
      ['Legal', 'law', 2],
    ],
    comments: [
      [1, 'Yummy', 'Uli', 'uli@example.org'],
      [0, 'Been there', 'Vic', 'vic@example.org'],
      [1, 'Recipe?', 'Vic', 'vic@example.org'],
      [4, 'Too hot', 'Uli', 'uli@example.org'],
    ],
    title: 'Other blog',
    none: 77777,
    media: 'picture-b.png',
  },
}

const KINDS = ['posts', 'pages', 'categories', 'tags', 'users', 'comments', 'media']
const OTHERS = ['settings', 'types', 'statuses']
/** Methods that choose from lists, by the names of their parameters. */
const CHOICES = {
  ...{ page: 'page', perPage: 'per_page', search: 'search', slug: 'slug', status: 'status', tags: 'tags' },
  ...{ categories: 'categories', parent: 'parent', post: 'post', order: 'order', orderby: 'orderby' },
  context: 'context',
}

/**
 * A client that builds its requests as `wpapi` does: `wp.posts().perPage(2).page(1)`, which is sent once it is awaited.
 * @param isAdmin whether it has the administrator's credentials
 */
export function client(base, isAdmin) {
  const endpoint = `${base}/wp-json`
  const credentials = isAdmin
    ? { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` }
    : {}
  const builders = Object.fromEntries(
    [...KINDS, ...OTHERS].map((kind) => [kind, () => requestFor(`${endpoint}/wp/v2/${kind}`, credentials)]),
  )
  return { ...builders, root: () => requestFor(endpoint, credentials) }
}

function requestFor(url, credentials) {
  const query = new Map()
  let path = url
  let upload
  const send = async (method, body) => {
    const search = new URLSearchParams([...query].toSorted(([a], [b]) => (a < b ? -1 : 1))).toString()
    const isJson = body !== undefined && upload === undefined
    const response = await fetch(search === '' ? path : `${path}?${search}`, {
      method,
      headers: { ...credentials, ...(isJson && { 'content-type': 'application/json' }) },
      ...(isJson && { body: JSON.stringify(body) }),
      ...(upload !== undefined && { body: formOf(upload, body) }),
    })
    const value = await response.json()
    if (!response.ok) throw Object.assign(new Error(value.message), value)
    return Array.isArray(value) ? Object.assign(value, { _paging: pagingOf(response.headers) }) : value
  }
  const request = {
    create: (body) => send('POST', body),
    update: (body) => send('PUT', body),
    delete: (body) => send('DELETE', body),
    // What is awaited is sent.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (resolve, reject) => send('GET').then(resolve, reject),
    param: (name, value) => set(name, value),
    embed: () => set('_embed', 'true'),
    id: (id) => below(id),
    me: () => below('me'),
    revisions: () => below('revisions'),
    file(bytes, name) {
      upload = { bytes, name }
      return request
    },
  }
  const set = (name, value) => {
    query.set(name, String(value))
    return request
  }
  const below = (segment) => {
    path += `/${segment}`
    return request
  }
  for (const [name, parameter] of Object.entries(CHOICES)) request[name] = (value) => set(parameter, value)
  return request
}

function formOf({ bytes, name }, fields) {
  const form = new FormData()
  form.set('file', new File([bytes], name, { type: 'image/png' }))
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  return form
}

function pagingOf(headers) {
  const link = headers.get('link') ?? ''
  const links = [...link.matchAll(/<([^>]*)>; rel="(next|prev)"/g)].map(([, url, rel]) => [rel, url])
  return {
    total: headers.get('x-wp-total'),
    totalPages: headers.get('x-wp-totalpages'),
    links: Object.fromEntries(links),
  }
}
