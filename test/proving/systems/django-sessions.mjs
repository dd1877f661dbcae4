import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.ts'

// That of Debian, whose packages another one in the path would not find.
const PYTHON = '/usr/bin/python3'

export const needs = [PYTHON]
export const keepsHost = true

const MODELS = `
from django.db import models
class Note(models.Model):
    text = models.CharField(max_length=60)
    owner = models.ForeignKey('auth.User', on_delete=models.CASCADE)
    class Meta:
        ordering = ['id']
`

const FORM = '<form method="post">{% csrf_token %}{{ form.as_p }}<button>Log in</button></form>'

const APP = `
import sys, django
from django.conf import settings
settings.configure(
    DEBUG=False, SECRET_KEY='x', ALLOWED_HOSTS=['*'], ROOT_URLCONF='__main__', USE_TZ=True,
    LOGIN_REDIRECT_URL='/api/me/', LOGOUT_REDIRECT_URL='/accounts/login/',
    PASSWORD_HASHERS=['django.contrib.auth.hashers.MD5PasswordHasher'],
    DEFAULT_AUTO_FIELD='django.db.models.BigAutoField',
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': sys.argv[2]}},
    INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth', 'django.contrib.sessions',
        'rest_framework', 'library'],
    MIDDLEWARE=['django.contrib.sessions.middleware.SessionMiddleware',
        'django.middleware.csrf.CsrfViewMiddleware',
        'django.contrib.auth.middleware.AuthenticationMiddleware'],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'DIRS': [sys.argv[3]]}],
    REST_FRAMEWORK={'DEFAULT_RENDERER_CLASSES': ['rest_framework.renderers.JSONRenderer'],
        'DEFAULT_AUTHENTICATION_CLASSES': ['rest_framework.authentication.SessionAuthentication'],
        'DEFAULT_PERMISSION_CLASSES': ['rest_framework.permissions.IsAuthenticated']},
)
django.setup()
from django.core.management import call_command, execute_from_command_line
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import include, path
from library.models import Note
from rest_framework import decorators, response, routers, serializers, viewsets
class NoteSerializer(serializers.ModelSerializer):
    class Meta:
        model, fields, read_only_fields = Note, ['id', 'text', 'owner'], ['owner']
class NoteView(viewsets.ModelViewSet):
    serializer_class = NoteSerializer
    def get_queryset(self):
        return Note.objects.filter(owner=self.request.user)
    def perform_create(self, serializer):
        serializer.save(owner=self.request.user)
@decorators.api_view()
def me(request):
    return response.Response({'id': request.user.id, 'username': request.user.username})
router = routers.DefaultRouter()
router.register('notes', NoteView, basename='note')
urlpatterns = [
    path('accounts/login/', LoginView.as_view()),
    path('accounts/logout/', LogoutView.as_view()),
    path('api/me/', me),
    path('api/', include(router.urls)),
]
call_command('migrate', run_syncdb=True, verbosity=0)
for name in ['ada', 'bob', 'cid', 'dee', 'eve']:
    User.objects.create_user(name, password=name + '-secret-1')
execute_from_command_line(['app', 'runserver', '--noreload', '127.0.0.1:' + sys.argv[1]])
`

export function start(directory) {
  const [app, data, templates] = ['app.py', 'db.sqlite3', 'templates'].map((name) => join(directory, name))
  mkdirSync(join(directory, 'library'))
  mkdirSync(join(templates, 'registration'), { recursive: true })
  writeFileSync(join(templates, 'registration/login.html'), FORM)
  writeFileSync(join(directory, 'library/__init__.py'), '')
  writeFileSync(join(directory, 'library/models.py'), MODELS)
  writeFileSync(app, APP)
  return startServer(PYTHON, (port) => [app, String(port), data, templates])
}

const VALUES = {
  A: {
    users: ['ada', 'bob'],
    texts: ['milk', 'eggs', 'bread'],
    none: 'zed',
    wrong: 'mistyped',
    text: 'done',
  },
  B: {
    ...{ users: ['cid', 'dee', 'eve'], texts: ['read', 'swim', 'run', 'sleep'], none: 'who' },
    ...{ wrong: 'forgotten', text: 'changed' },
  },
}

// As browsers do: it keeps cookies, and its scripts send back the one against forged requests.
function browser(base) {
  const jar = new Map()
  const call = async (method, path, body, more = {}) => {
    const isForm = body instanceof URLSearchParams
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(base + path, {
      ...{ method, redirect: 'manual' },
      headers: {
        ...(cookie !== '' && { cookie }),
        ...(jar.has('csrftoken') && { 'x-csrftoken': jar.get('csrftoken') }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)
      if (/max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
    return { s: response.status, b: isJson ? JSON.parse(text) : text, to: response.headers.get('location') }
  }
  return Object.assign(call, { jar })
}

const is = (status) => (answer) => answer.s === status

export async function session(base, which, check) {
  const v = VALUES[which]
  const logIn = async (client, step, username, password, isRight) => {
    const page = await check('form', () => client('GET', '/accounts/login/'), is(200))
    const csrfmiddlewaretoken = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(page?.b)?.[1]
    const fields = new URLSearchParams({ csrfmiddlewaretoken, username, password })
    return check(step, () => client('POST', '/accounts/login/', fields), isRight)
  }
  const secretOf = (name) => `${name}-secret-1`
  const guest = browser(base)
  await check('me none', () => guest('GET', '/api/me/'), is(403))
  const bare = new URLSearchParams({ username: v.users[0], password: secretOf(v.users[0]) })
  await check('login forged', () => browser(base)('POST', '/accounts/login/', bare), is(403))
  const clients = []
  for (const name of v.users) {
    const client = browser(base)
    clients.push(client)
    await logIn(client, 'login', name, secretOf(name), (a) => a.s === 302 && a.to === '/api/me/')
    await check(
      'me',
      () => client('GET', '/api/me/'),
      (a) => a.b.username === name,
    )
  }
  const isForm = (a) => a.s === 200 && a.b.includes('correct username')
  await logIn(guest, 'login wrong', v.users[0], v.wrong, isForm)
  await logIn(guest, 'login unknown', v.none, v.wrong, isForm)
  const ids = []
  for (const [at, text] of v.texts.entries()) {
    const made = await check(
      'add',
      () => clients[at % 2]('POST', '/api/notes/', { text }),
      (a) => a.s === 201 && a.b.text === text,
    )
    ids.push(made?.b.id)
  }
  await check('add none', () => browser(base)('POST', '/api/notes/', { text: 'x' }), is(403))
  const forged = { 'x-csrftoken': '' }
  await check('add forged', () => clients[0]('POST', '/api/notes/', { text: 'x' }, forged), is(403))
  await check('add nothing', () => clients[0]('POST', '/api/notes/', {}), is(400))
  for (const at of [0, 1])
    await check(
      'list',
      () => clients[at]('GET', '/api/notes/'),
      (a) => a.b.length === v.texts.filter((_, each) => each % 2 === at).length,
    )
  await check('list none', () => browser(base)('GET', '/api/notes/'), is(403))
  for (const [at, id] of ids.entries())
    await check(
      'read',
      () => clients[at % 2]('GET', `/api/notes/${id}/`),
      (a) => a.b.id === id,
    )
  await check('read other', () => clients[0]('GET', `/api/notes/${ids[1]}/`), is(404))
  const path = `/api/notes/${ids[0]}/`
  await check(
    'change',
    () => clients[0]('PATCH', path, { text: v.text }),
    (a) => a.b.text === v.text,
  )
  await check('change other', () => clients[1]('PATCH', path, { text: 'x' }), is(404))
  await check(
    'read',
    () => clients[0]('GET', path),
    (a) => a.b.text === v.text,
  )
  await check('delete', () => clients[0]('DELETE', path), is(204))
  await check('gone', () => clients[0]('GET', path), is(404))
  for (const client of clients.slice(0, 2)) {
    const kept = new Map(client.jar)
    await check('logout', () => client('GET', '/accounts/logout/'), is(302))
    for (const [name, value] of kept) client.jar.set(name, value)
    await check('me out', () => client('GET', '/api/me/'), is(403))
  }
}
