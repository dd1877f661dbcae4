import { createHash } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, startServer } from '../server.ts'

const ROOT = '/usr/share/redmine'
const RAILS = join(ROOT, 'bin/rails')
const DATABASE = '/var/lib/dbconfig-common/sqlite3/redmine/instances/default/redmine_default'
const WEBRICK = '/usr/share/rubygems-integration/all/gems/webrick-1.8.1/lib'
/** The keys of an administrator, and of a user who may do nothing. */
export const [ADMIN, GUEST] = ['admin', 'guest'].map((name) => createHash('sha1').update(name).digest('hex'))

// Debian's redmine, redmine-sqlite and ruby-webrick.
export const needs = [RAILS, 'rackup']

const PREPARED = `
Setting.rest_api_enabled = '1'
admin = User.find_by_login('admin')
admin.update_columns(must_change_passwd: false)
guest = User.new(firstname: 'Jo', lastname: 'Low', mail: 'jo@example.com')
guest.login = 'jo'
guest.password = 'secret-12'
guest.save!
{ admin => '${ADMIN}', guest => '${GUEST}' }.each do |user, key|
  Token.where(user_id: user.id).delete_all
  Token.create!(user: user, action: 'api').update_columns(value: key)
end
`

export async function start(directory) {
  const database = join(directory, 'redmine.sqlite3')
  copyFileSync(DATABASE, database)
  writeFileSync(join(directory, 'prepare.rb'), PREPARED)
  const env = { RAILS_ENV: 'production', DATABASE_URL: `sqlite3:${database}`, RUBYLIB: WEBRICK }
  const { code, stderr } = await runCommand(RAILS, ['runner', join(directory, 'prepare.rb')], {
    cwd: ROOT,
    env,
  })
  if (code !== 0) throw new Error(stderr)
  return startServer(
    'rackup',
    (port) => ['-s', 'webrick', '-o', '127.0.0.1', '-p', String(port), '-E', 'production', 'config.ru'],
    { cwd: ROOT, env, isUp: async (url) => (await fetch(`${url}/projects.json`)).ok },
  )
}
