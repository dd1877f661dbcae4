import { FILE_ACTIONS, FILE_OUTCOMES } from '../engine/file-option.ts'
import { createChecker } from '../engine/schema/checker.ts'
import { lazy } from '../engine/lazy.ts'
import { isObject, type Schema } from '../engine/schema/schema.ts'
import { type PlacedMessage, TEXT, TEXTS, whole } from '../pipeline/option.ts'

const NAMED_TEXTS = { type: 'object', additionalProperties: TEXT.schema }

const PLACE = {
  in: {
    ...TEXT.schema,
    description: 'The path that it is in. Default: that of the route, without its last parameter.',
  },
  key: { ...TEXT.schema, description: 'Its name there. Default: the last parameter of the path.' },
}

function table(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', additionalProperties: false, required, properties }
}

const ANSWER = table({
  status: whole(100, 599, 'a status').schema ?? {},
  headers: NAMED_TEXTS,
  type: { ...TEXT.schema, description: 'The Content-Type.' },
  text: { ...TEXT.schema, description: 'The body.' },
  each: {
    type: 'object',
    additionalProperties: table(
      { of: TEXT.schema, text: TEXT.schema, separator: TEXT.schema, follows: TEXT.schema },
      ['of', 'text'],
    ),
    description: 'What is repeated in the body, or left out of it, by the name it has there.',
  },
})

const TREE: Schema = {
  ...table({
    exists: { ...TEXTS.schema, description: 'Paths that are there from the start; * is any segment.' },
    kind: { ...TEXT.schema, description: 'The kind of what MKCOL makes. Default: collection.' },
    properties: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
      description: 'Properties as XML, by {namespace}name and by kinds of what they are of.',
    },
    all: { ...TEXTS.schema, description: 'Properties that are given where none is named.' },
    prefixes: { ...NAMED_TEXTS, description: 'Prefixes by their namespaces.' },
    base: { ...TEXT.schema, description: 'What stands before paths in answers.' },
    omits: { type: 'boolean', description: 'Whether properties that are not there are left out.' },
    depth: { enum: ['0', '1', 'infinity'], description: 'How deep a request goes that does not say so.' },
    checks: { type: 'boolean', description: 'Whether calendars and cards must be what they are called.' },
    slash: { type: 'boolean', description: 'Whether collections are only at paths that end in a slash.' },
    locks: { type: 'boolean', description: 'Whether what is locked stays as it is.' },
    parents: { type: 'boolean', description: 'Whether collections that a file lacks are made with it.' },
    response: { ...TEXT.schema, description: 'The root element of what MKCOL answers.' },
    refuses: {
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Statuses of properties that clients cannot set.',
    },
  }),
  description: 'A tree of files and collections with properties, as WebDAV has it.',
}

const ACTION = { enum: [...FILE_ACTIONS], description: 'What a request does.' }

/** Texts in it are templates: `{name}` stands for a fact. */
export const FILE_SCHEMA: Schema = {
  type: 'object',
  additionalProperties: false,
  required: ['action'],
  properties: {
    action: ACTION,
    ...PLACE,
    upload: { ...table(PLACE), description: 'Where an upload in parts is. Default: it is the file itself.' },
    begins: { type: 'boolean', description: 'Whether a part begins its upload where there is none.' },
    id: { type: 'object', description: 'The form of the ids of uploads, a JSON Schema. Default: UUIDs.' },
    needs: { ...TEXT.schema, description: 'The path of what must be there, such as a bucket.' },
    exists: { ...TEXTS.schema, description: 'Paths for needs that are there from the start.' },
    keeps: {
      ...TEXTS.schema,
      description: 'Request headers that are given with the file; * is any letters.',
    },
    types: { ...NAMED_TEXTS, description: 'Media types by the ending of a name; * where none was sent.' },
    type: { ...TEXT.schema, description: 'The media type that a file gets. Default: the one that is sent.' },
    etag: { ...TEXT.schema, description: 'The ETag that a file gets. Default: "{md5}" in quotes.' },
    from: { ...TEXT.schema, description: 'The path of a file that is copied.' },
    renews: {
      ...table({ given: TEXT.schema, is: TEXT.schema }, ['given', 'is']),
      description: 'Where these are the same, a copy has headers and type of its own request alone.',
    },
    overrides: {
      ...TEXT.schema,
      description: 'The beginning of names of query fields that give the answer a header, such as response-.',
    },
    also: {
      type: 'array',
      items: table(PLACE),
      description: 'Where the file is besides. The path is its own by default.',
    },
    verify: {
      type: 'array',
      items: table({ given: TEXT.schema, is: TEXT.schema, outcome: { enum: [...FILE_OUTCOMES] } }, [
        'given',
        'is',
      ]),
      description: 'Texts that must be the same where the first is given.',
    },
    item: {
      ...table({ at: TEXT.schema ?? {}, sets: { type: 'object' } }, ['at']),
      description:
        'The path of the stored item that the file belongs to, and what that has once it is stored.',
    },
    replaces: { type: 'boolean', description: 'Whether a file that is there is replaced. Default: true.' },
    empty: { ...TEXT.schema, description: 'The path that must have no files for it to be deleted.' },
    keys: { ...TEXT.schema, description: 'The XML elements, by their path, that name the files to delete.' },
    list: {
      ...table({
        ...Object.fromEntries(['prefix', 'delimiter', 'max', 'omit'].map((name) => [name, TEXT.schema])),
        after: TEXTS.schema ?? {},
      }),
      description: 'Which files a list has.',
    },
    tree: TREE,
    ignores: { ...TEXTS.schema, description: 'Request headers that make no difference.' },
    outcomes: {
      ...table(Object.fromEntries(FILE_OUTCOMES.map((name) => [name, ANSWER]))),
      description: 'Answers by what a request comes to.',
    },
  },
}

const checker = lazy(() => createChecker(FILE_SCHEMA))

/** What is wrong with a `file` option, by places within it. */
export function findFileProblems(value: unknown): readonly PlacedMessage[] {
  if (!isObject(value)) return [{ path: [], message: 'must be options of files, such as { action: put }' }]
  return checker()
    .check(value)
    .map(({ path, message }) => ({ path, message }))
}
