import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

const PYTHON = '/usr/bin/python3'
export const needs = [
  PYTHON,
  '/usr/lib/python3/dist-packages/rest_framework',
  '/usr/lib/python3/dist-packages/django_filters',
]

// Pages have links with the host of the request.
export const keepsHost = true

export const short = {
  'held out': 'a page past the end, a name that another has, and what goes with its parent are not refused',
  checks: 'likewise; lists below a parent, counts of children and actions on items are not learned',
  'by rule': 'lists below a parent, counts of children and actions on items are not learned',
}

const MODELS = `
from django.db import models

class Author(models.Model):
    name = models.CharField(max_length=60, unique=True)
    country = models.CharField(max_length=2, blank=True)
    class Meta:
        ordering = ['id']

class Book(models.Model):
    title = models.CharField(max_length=80)
    genre = models.CharField(max_length=10, choices=[(g, g) for g in ('novel', 'poems', 'essay')])
    pages = models.PositiveIntegerField(null=True)
    is_published = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)
    author = models.ForeignKey(Author, on_delete=models.CASCADE, related_name='books')
    class Meta:
        ordering = ['id']
`

const APP = `
import sys, django
from django.conf import settings
settings.configure(
    DEBUG=False, SECRET_KEY='x', ALLOWED_HOSTS=['*'], ROOT_URLCONF='__main__', USE_TZ=True,
    DEFAULT_AUTO_FIELD='django.db.models.BigAutoField',
    DATABASES={'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': sys.argv[2]}},
    INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth', 'django_filters', 'rest_framework', 'library'],
    REST_FRAMEWORK={
        'DEFAULT_PAGINATION_CLASS': 'rest_framework.pagination.PageNumberPagination', 'PAGE_SIZE': 5,
        'DEFAULT_RENDERER_CLASSES': ['rest_framework.renderers.JSONRenderer'],
        'DEFAULT_FILTER_BACKENDS': ['django_filters.rest_framework.DjangoFilterBackend',
            'rest_framework.filters.SearchFilter', 'rest_framework.filters.OrderingFilter'],
    },
)
django.setup()
from django.db import connection
from django.urls import include, path
from rest_framework import decorators, response, routers, serializers, viewsets

from library.models import Author, Book

class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model, fields = Book, ['id', 'title', 'genre', 'pages', 'is_published', 'created', 'author']
        read_only_fields = ['is_published']

class AuthorSerializer(serializers.ModelSerializer):
    book_count = serializers.IntegerField(source='books.count', read_only=True)
    class Meta:
        model, fields = Author, ['id', 'name', 'country', 'book_count']

class Books(viewsets.ModelViewSet):
    queryset, serializer_class = Book.objects.all(), BookSerializer
    filterset_fields, search_fields, ordering_fields = ['genre', 'author', 'is_published'], ['title'], ['title', 'pages', 'created']
    @decorators.action(detail=True, methods=['post'])
    def publish(self, request, pk=None):
        book = self.get_object()
        book.is_published = True
        book.save()
        return response.Response(self.get_serializer(book).data)

class Authors(viewsets.ModelViewSet):
    queryset, serializer_class = Author.objects.all(), AuthorSerializer
    filterset_fields, search_fields = ['country'], ['name']
    @decorators.action(detail=True)
    def books(self, request, pk=None):
        page = self.paginate_queryset(self.get_object().books.all())
        return self.get_paginated_response(BookSerializer(page, many=True).data)

router = routers.DefaultRouter()
router.register('authors', Authors)
router.register('books', Books)
urlpatterns = [path('api/', include(router.urls))]

with connection.schema_editor() as editor:
    for model in (Author, Book):
        editor.create_model(model)
for at, name in enumerate(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal']):
    Author.objects.create(name=name, country=['uk', 'fr', 'it'][at % 3])
for at in range(17):
    Book.objects.create(title='Book %d' % (at + 1), genre=['novel', 'poems', 'essay'][at % 3], pages=100 + at * 7 % 60,
        is_published=at % 4 == 0, author_id=1 + at % 8)
from django.core.management import execute_from_command_line
execute_from_command_line(['app', 'runserver', '--noreload', '127.0.0.1:' + sys.argv[1]])
`

export function start(directory) {
  const [app, data] = [join(directory, 'app.py'), join(directory, 'db.sqlite3')]
  mkdirSync(join(directory, 'library'))
  writeFileSync(join(directory, 'library/__init__.py'), '')
  writeFileSync(join(directory, 'library/models.py'), MODELS)
  writeFileSync(app, APP)
  return startServer(PYTHON, (port) => [app, String(port), data])
}

const VALUES = {
  A: {
    ids: [1, 3, 7],
    author: 2,
    genre: 'novel',
    none: 999,
    names: ['Ian', 'Joy'],
    titles: ['Lark', 'Moth', 'Newt'],
    q: 'Book 1',
    other: 'uk',
    pages: 120,
  },
  B: {
    ids: [2, 9, 14],
    author: 5,
    genre: 'poems',
    none: 888,
    names: ['Kai', 'Lou'],
    titles: ['Oak', 'Pine', 'Rose'],
    q: 'Book 7',
    other: 'fr',
    pages: 240,
  },
}

export async function session(base, which, check) {
  const c = jsonClient(`${base}/api`)
  const v = VALUES[which]
  const step = async (name, method, path, body, isRight) => check(name, () => c(method, path, body), isRight)
  const status =
    (code) =>
    ({ s }) =>
      s === code
  await step('root', 'GET', '/', undefined, ({ s, b }) => s === 200 && b.books !== undefined)
  await step(
    'books',
    'GET',
    '/books/',
    undefined,
    ({ b }) => b.count === 17 && b.results.length === 5 && b.previous === null,
  )
  await step(
    'page',
    'GET',
    '/books/?page=2',
    undefined,
    ({ b }) => b.results[0].id === 6 && b.previous.endsWith('/api/books/'),
  )
  await step(
    'last page',
    'GET',
    '/books/?page=4',
    undefined,
    ({ b }) => b.results.length === 2 && b.next === null,
  )
  await step('no page', 'GET', `/books/?page=${which === 'A' ? 9 : 7}`, undefined, status(404))
  for (const id of v.ids)
    await step('book', 'GET', `/books/${id}/`, undefined, ({ s, b }) => s === 200 && b.id === id)
  await step(
    'no book',
    'GET',
    `/books/${v.none}/`,
    undefined,
    ({ s, b }) => s === 404 && typeof b.detail === 'string',
  )
  await step(
    'by genre',
    'GET',
    `/books/?genre=${v.genre}`,
    undefined,
    ({ b }) => b.results.every(({ genre }) => genre === v.genre) && b.count === 6,
  )
  await step(
    'bad genre',
    'GET',
    `/books/?genre=${which === 'A' ? 'crime' : 'drama'}`,
    undefined,
    ({ s, b }) => s === 400 && Array.isArray(b.genre),
  )
  await step('by author', 'GET', `/books/?author=${v.author}`, undefined, ({ b }) =>
    b.results.every(({ author }) => author === v.author),
  )
  await step(
    'search',
    'GET',
    `/books/?search=${encodeURIComponent(v.q)}`,
    undefined,
    ({ b }) => b.count > 0 && b.results.every(({ title }) => title.includes(v.q)),
  )
  await step('order', 'GET', '/books/?ordering=-pages', undefined, ({ b }) =>
    b.results.every((each, at, all) => at === 0 || all[at - 1].pages >= each.pages),
  )
  await step('authors', 'GET', '/authors/', undefined, ({ b }) => b.count === 8)
  await step('author', 'GET', `/authors/${v.author}/`, undefined, ({ b }) => b.book_count === 2)
  await step(
    'books of author',
    'GET',
    `/authors/${v.author}/books/`,
    undefined,
    ({ b }) => b.results.length === 2 && b.results.every(({ author }) => author === v.author),
  )
  await step('by country', 'GET', `/authors/?country=${v.other}`, undefined, ({ b }) =>
    b.results.every(({ country }) => country === v.other),
  )
  const made = []
  for (const name of v.names) {
    const found = await step(
      'add author',
      'POST',
      '/authors/',
      { name, country: v.other },
      ({ s, b }) => s === 201 && b.name === name && b.book_count === 0,
    )
    made.push(found?.b.id)
  }
  await step(
    'same name',
    'POST',
    '/authors/',
    { name: v.names[0] },
    ({ s, b }) => s === 400 && Array.isArray(b.name),
  )
  await step(
    'no name',
    'POST',
    '/authors/',
    { country: v.other },
    ({ s, b }) => s === 400 && Array.isArray(b.name),
  )
  const books = []
  for (const title of v.titles) {
    const found = await step(
      'add book',
      'POST',
      '/books/',
      { title, genre: v.genre, pages: v.pages, author: made[0] },
      ({ s, b }) => s === 201 && b.title === title && b.is_published === false,
    )
    books.push(found?.b.id)
  }
  await step(
    'no title',
    'POST',
    '/books/',
    { genre: v.genre, author: made[0] },
    ({ s, b }) => s === 400 && b.title !== undefined && b.genre === undefined,
  )
  await step(
    'no genre',
    'POST',
    '/books/',
    { title: 'x', author: made[0] },
    ({ s, b }) => s === 400 && b.genre !== undefined && b.title === undefined,
  )
  await step(
    'nothing',
    'POST',
    '/books/',
    {},
    ({ s, b }) => s === 400 && b.genre !== undefined && b.title !== undefined && b.author !== undefined,
  )
  await step(
    'wrong genre',
    'POST',
    '/books/',
    { title: 'x', genre: which === 'A' ? 'crime' : 'drama', author: made[0] },
    ({ s, b }) => s === 400 && b.genre !== undefined,
  )
  await step(
    'wrong pages',
    'POST',
    '/books/',
    { title: 'x', genre: v.genre, pages: 'many', author: made[0] },
    ({ s, b }) => s === 400 && b.pages !== undefined,
  )
  await step(
    'no such author',
    'POST',
    '/books/',
    { title: 'x', genre: v.genre, author: v.none },
    ({ s, b }) => s === 400 && b.author !== undefined,
  )
  await step('new book', 'GET', `/books/${books[0]}/`, undefined, ({ b }) => b.title === v.titles[0])
  await step(
    'books of new author',
    'GET',
    `/authors/${made[0]}/books/`,
    undefined,
    ({ b }) => b.count === v.titles.length,
  )
  await step(
    'count of new author',
    'GET',
    `/authors/${made[0]}/`,
    undefined,
    ({ b }) => b.book_count === v.titles.length,
  )
  for (const id of books.slice(0, 2))
    await step(
      'publish',
      'POST',
      `/books/${id}/publish/`,
      undefined,
      ({ s, b }) => s === 200 && b.is_published === true,
    )
  await step('published', 'GET', `/books/${books[0]}/`, undefined, ({ b }) => b.is_published === true)
  await step('publish nothing', 'POST', `/books/${v.none}/publish/`, undefined, status(404))
  await step(
    'change',
    'PATCH',
    `/books/${books[1]}/`,
    { pages: v.pages + 1 },
    ({ b }) => b.pages === v.pages + 1 && b.title === v.titles[1],
  )
  await step(
    'replace',
    'PUT',
    `/books/${books[2]}/`,
    { title: `${v.titles[2]}s`, genre: 'essay', pages: null, author: made[1] },
    ({ b }) => b.author === made[1],
  )
  await step('replace half', 'PUT', `/books/${books[2]}/`, { pages: 3 }, status(400))
  await step('change nothing', 'PATCH', `/books/${v.none}/`, { pages: 3 }, status(404))
  await step('delete book', 'DELETE', `/books/${books[0]}/`, undefined, status(204))
  await step('deleted book', 'GET', `/books/${books[0]}/`, undefined, status(404))
  await step('delete again', 'DELETE', `/books/${books[0]}/`, undefined, status(404))
  await step('delete author', 'DELETE', `/authors/${made[0]}/`, undefined, status(204))
  await step('books of it', 'GET', `/books/${books[1]}/`, undefined, status(404))
  await step('books at the end', 'GET', '/books/', undefined, ({ b }) => b.count === 18)
  await step('not allowed', 'PUT', '/books/', {}, status(405))
}
