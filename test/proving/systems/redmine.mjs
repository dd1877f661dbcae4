import { jsonClient } from '../server.ts'
import { ADMIN, GUEST } from '../servers/redmine.mjs'

export { needs, start } from '../servers/redmine.mjs'

const WORDS = {
  A: {
    projects: [
      ['Apollo', 'apollo'],
      ['Borealis', 'borealis'],
      ['Cassini', 'cassini'],
    ],
    issues: ['Engine stalls', 'Door jams', 'Light flickers', 'Pump leaks', 'Seat squeaks'],
    closed: 2,
    users: ['mara', 'nils'],
    versions: ['1.0', '2.0'],
    categories: ['Backend', 'Docs'],
    pages: ['Start', 'Setup_guide'],
    hours: [1.5, 3],
    note: 'Seen on the bench',
    firstname: 'Root',
    missing: 9999,
  },
  B: {
    projects: [
      ['Dione', 'dione'],
      ['Europa', 'europa-two'],
    ],
    issues: ['Valve sticks', 'Cable frays', 'Screen dims', 'Fan hums', 'Lid cracks', 'Gear slips'],
    closed: 4,
    users: ['olga', 'pete', 'rita'],
    versions: ['0.9', '1.1', '3.0'],
    categories: ['Hardware', 'Tests', 'Web'],
    pages: ['Home', 'Release_notes', 'Faq'],
    hours: [0.5, 2, 4],
    note: 'Could not be repeated',
    firstname: 'Chief',
    missing: 7070,
  },
}

export async function session(base, which, check) {
  const w = WORDS[which]
  const c = jsonClient(base, { 'x-redmine-api-key': ADMIN })
  const guest = jsonClient(base, { 'x-redmine-api-key': GUEST })
  const nobody = jsonClient(base)
  const is =
    (status, test = () => true) =>
    ({ s, b }) =>
      s === status && test(b)

  await check(
    'me',
    () => c('GET', '/users/current.json'),
    is(200, ({ user }) => user.login === 'admin'),
  )
  await check(
    'me',
    () => guest('GET', '/users/current.json'),
    is(200, ({ user }) => user.login === 'jo'),
  )
  await check('no key', () => nobody('GET', '/users/current.json'), is(401))
  await check(
    'trackers',
    () => c('GET', '/trackers.json'),
    is(200, ({ trackers }) => trackers.length === 3),
  )
  await check(
    'states',
    () => c('GET', '/issue_statuses.json'),
    is(200, (b) => b.issue_statuses.length === 6),
  )
  await check(
    'no projects',
    () => c('GET', '/projects.json'),
    is(200, (b) => b.total_count === 0),
  )

  const projects = []
  for (const [name, identifier] of w.projects)
    projects.push(
      (
        await check(
          'create project',
          () => c('POST', '/projects.json', { project: { name, identifier, is_public: false } }),
          is(201, ({ project }) => project.identifier === identifier && project.is_public === false),
        )
      )?.b.project,
    )
  const [name, identifier] = w.projects[0]
  const project = projects[0]?.id
  await check(
    'project again',
    () => c('POST', '/projects.json', { project: { name, identifier } }),
    is(422, ({ errors }) => errors[0] === 'Identifier has already been taken'),
  )
  await check(
    'project without identifier',
    () => c('POST', '/projects.json', { project: { name: `${name} two` } }),
    is(422, ({ errors }) => errors.length === 1),
  )
  await check(
    'guest creates project',
    () => guest('POST', '/projects.json', { project: { name: 'Guest', identifier: `${identifier}-guest` } }),
    is(403),
  )
  await check(
    'projects',
    () => c('GET', '/projects.json'),
    is(200, (b) => b.total_count === w.projects.length && b.projects[0].name === name),
  )
  for (const each of projects)
    await check(
      'project',
      () => c('GET', `/projects/${each?.id}.json`),
      is(200, (b) => b.project.name === each.name),
    )
  await check(
    'project by identifier',
    () => c('GET', `/projects/${identifier}.json`),
    is(200, (b) => b.project.id === project),
  )
  await check('guest reads project', () => guest('GET', `/projects/${project}.json`), is(403))
  await check('project none', () => c('GET', `/projects/${w.missing}.json`), is(404))
  await check(
    'change project',
    () => c('PUT', `/projects/${project}.json`, { project: { description: w.note } }),
    is(204),
  )
  await check(
    'project changed',
    () => c('GET', `/projects/${project}.json`),
    is(200, (b) => b.project.description === w.note && b.project.name === name),
  )

  const issues = []
  for (const [at, subject] of w.issues.entries())
    issues.push(
      (
        await check(
          'create issue',
          () =>
            c('POST', '/issues.json', { issue: { project_id: project, subject, priority_id: (at % 3) + 1 } }),
          is(201, ({ issue }) => issue.subject === subject && issue.project.id === project),
        )
      )?.b.issue,
    )
  const [first, second] = issues
  await check(
    'issue without subject',
    () => c('POST', '/issues.json', { issue: { project_id: project, subject: '' } }),
    is(422, ({ errors }) => errors[0] === 'Subject cannot be blank'),
  )
  await check(
    'guest creates issue',
    () => guest('POST', '/issues.json', { issue: { project_id: project, subject: w.issues[0] } }),
    is(403),
  )
  await check(
    'issues',
    () => c('GET', '/issues.json'),
    is(200, (b) => b.total_count === w.issues.length && b.issues[0].id === issues.at(-1).id),
  )
  await check(
    'issues of project',
    () => c('GET', `/issues.json?project_id=${project}&sort=id`),
    is(200, (b) => b.issues[0].subject === w.issues[0]),
  )
  await check(
    'issues of other project',
    () => c('GET', `/issues.json?project_id=${projects[1]?.id}&sort=id`),
    is(200, (b) => b.total_count === 0),
  )
  for (const offset of which === 'A' ? [0, 2, 4] : [3, 0])
    await check(
      'page',
      () => c('GET', `/issues.json?sort=id&limit=2&offset=${offset}`),
      is(200, (b) => b.offset === offset && b.limit === 2 && b.issues[0].subject === w.issues[offset]),
    )
  for (const issue of issues.slice(0, which === 'A' ? 3 : 4))
    await check(
      'issue',
      () => c('GET', `/issues/${issue?.id}.json`),
      is(200, (b) => b.issue.subject === issue.subject),
    )
  await check('guest reads issue', () => guest('GET', `/issues/${first?.id}.json`), is(403))
  await check('issue none', () => c('GET', `/issues/${w.missing}.json`), is(404))
  await check(
    'change issue',
    () => c('PUT', `/issues/${first?.id}.json`, { issue: { subject: w.note, done_ratio: w.closed * 10 } }),
    is(204),
  )
  await check(
    'issue changed',
    () => c('GET', `/issues/${first?.id}.json`),
    is(200, ({ issue }) => issue.subject === w.note && issue.done_ratio === w.closed * 10),
  )
  const closed = issues[w.closed]
  await check(
    'close issue',
    () => c('PUT', `/issues/${closed?.id}.json`, { issue: { status_id: 5 } }),
    is(204),
  )
  await check(
    'issue closed',
    () => c('GET', `/issues/${closed?.id}.json`),
    is(200, ({ issue }) => issue.status.name === 'Closed'),
  )
  await check(
    'open issues',
    () => c('GET', '/issues.json?status_id=open&sort=id'),
    is(200, (b) => b.issues.length === w.issues.length - 1 && b.issues.every(({ id }) => id !== closed.id)),
  )
  await check(
    'closed issues',
    () => c('GET', '/issues.json?status_id=closed&sort=id'),
    is(200, (b) => b.issues.length === 1 && b.issues[0].id === closed.id),
  )
  await check(
    'bad change',
    () => c('PUT', `/issues/${second?.id}.json`, { issue: { subject: '' } }),
    is(422, ({ errors }) => errors[0] === 'Subject cannot be blank'),
  )
  await check(
    'guest changes issue',
    () => guest('PUT', `/issues/${second?.id}.json`, { issue: { subject: 'x' } }),
    is(403),
  )
  await check(
    'change none',
    () => c('PUT', `/issues/${w.missing}.json`, { issue: { subject: 'x' } }),
    is(404),
  )

  const parts = [
    ['version', 'versions', w.versions],
    ['category', 'issue_categories', w.categories],
  ]
  for (const [step, path, names] of parts) {
    const member = path === 'versions' ? 'version' : 'issue_category'
    const made = []
    for (const each of names)
      made.push(
        (
          await check(
            `create ${step}`,
            () => c('POST', `/projects/${project}/${path}.json`, { [member]: { name: each } }),
            is(201, (b) => b[member].name === each),
          )
        )?.b[member],
      )
    await check(
      `${step} again`,
      () => c('POST', `/projects/${project}/${path}.json`, { [member]: { name: names[0] } }),
      is(422),
    )
    await check(
      `list ${step}`,
      () => c('GET', `/projects/${project}/${path}.json`),
      is(200, (b) => b.total_count === names.length && b[path].some((one) => one.name === names[0])),
    )
    await check(`guest lists ${step}`, () => guest('GET', `/projects/${project}/${path}.json`), is(403))
    for (const each of made)
      await check(
        step,
        () => c('GET', `/${path}/${each?.id}.json`),
        is(200, (b) => b[member].name === each.name && b[member].project.id === project),
      )
    await check(`${step} none`, () => c('GET', `/${path}/${w.missing}.json`), is(404))
    await check(
      `change ${step}`,
      () => c('PUT', `/${path}/${made[0]?.id}.json`, { [member]: { name: w.note } }),
      is(204),
    )
    await check(
      `${step} changed`,
      () => c('GET', `/${path}/${made[0]?.id}.json`),
      is(200, (b) => b[member].name === w.note),
    )
    await check(`delete ${step}`, () => c('DELETE', `/${path}/${made[1]?.id}.json`), is(204))
    await check(`${step} deleted`, () => c('GET', `/${path}/${made[1]?.id}.json`), is(404))
  }

  const users = []
  for (const login of w.users)
    users.push(
      (
        await check(
          'create user',
          () =>
            c('POST', '/users.json', {
              user: {
                login,
                firstname: login,
                lastname: 'Doe',
                mail: `${login}@example.org`,
                password: 'pass-word-9',
              },
            }),
          is(201, ({ user }) => user.login === login),
        )
      )?.b.user,
    )
  await check(
    'user again',
    () =>
      c('POST', '/users.json', {
        user: {
          login: w.users[0],
          firstname: 'x',
          lastname: 'y',
          mail: 'z@example.org',
          password: 'pass-word-9',
        },
      }),
    is(422, ({ errors }) => errors[0] === 'Login has already been taken'),
  )
  await check('guest lists users', () => guest('GET', '/users.json'), is(403))
  await check(
    'users',
    () => c('GET', '/users.json'),
    is(200, (b) => b.total_count === w.users.length + 2 && b.users.some(({ login }) => login === w.users[0])),
  )
  for (const user of users)
    await check(
      'user',
      () => c('GET', `/users/${user?.id}.json`),
      is(200, (b) => b.user.login === user.login),
    )
  await check('user none', () => c('GET', `/users/${w.missing}.json`), is(404))

  for (const [at, hours] of w.hours.entries())
    await check(
      'spend time',
      () =>
        c('POST', '/time_entries.json', {
          time_entry: { issue_id: issues[at]?.id, hours, activity_id: 8, comments: w.note },
        }),
      is(201, (b) => b.time_entry.hours === hours && b.time_entry.issue.id === issues[at].id),
    )
  await check(
    'time',
    () => c('GET', '/time_entries.json'),
    is(200, (b) => b.total_count === w.hours.length),
  )
  await check(
    'time of issue',
    () => c('GET', `/time_entries.json?issue_id=${first?.id}`),
    is(200, (b) => b.total_count === 1 && b.time_entries[0].hours === w.hours[0]),
  )

  for (const page of w.pages)
    await check(
      'write page',
      () => c('PUT', `/projects/${identifier}/wiki/${page}.json`, { wiki_page: { text: `h1. ${page}` } }),
      is(201, (b) => b.wiki_page.title === page && b.wiki_page.version === 1),
    )
  await check(
    'pages',
    () => c('GET', `/projects/${identifier}/wiki/index.json`),
    is(200, (b) => b.wiki_pages.length === w.pages.length),
  )
  await check(
    'page read',
    () => c('GET', `/projects/${identifier}/wiki/${w.pages[1]}.json`),
    is(200, (b) => b.wiki_page.text === `h1. ${w.pages[1]}`),
  )
  await check(
    'rewrite page',
    () => c('PUT', `/projects/${identifier}/wiki/${w.pages[1]}.json`, { wiki_page: { text: w.note } }),
    is(204),
  )
  await check(
    'page rewritten',
    () => c('GET', `/projects/${identifier}/wiki/${w.pages[1]}.json`),
    is(200, (b) => b.wiki_page.text === w.note && b.wiki_page.version === 2),
  )
  await check('page none', () => c('GET', `/projects/${identifier}/wiki/Absent${which}.json`), is(404))

  await check(
    'account',
    () => c('GET', '/my/account.json'),
    is(200, ({ user }) => user.firstname === 'Redmine'),
  )
  await check(
    'change account',
    () => c('PUT', '/my/account.json', { user: { firstname: w.firstname } }),
    is(204),
  )
  await check(
    'account changed',
    () => c('GET', '/my/account.json'),
    is(200, ({ user }) => user.firstname === w.firstname && user.login === 'admin'),
  )

  await check('delete issue', () => c('DELETE', `/issues/${second?.id}.json`), is(204))
  await check('issue deleted', () => c('GET', `/issues/${second?.id}.json`), is(404))
  await check('delete issue again', () => c('DELETE', `/issues/${second?.id}.json`), is(404))
  await check(
    'issues left',
    () => c('GET', '/issues.json?status_id=*&sort=id'),
    is(200, (b) => b.total_count === w.issues.length - 1 && b.issues.every(({ id }) => id !== second.id)),
  )
}
