import { plainName } from '../../../collections/paging/page-parameters.ts'
import type { ReceivedFile } from '../../../http/read-multipart.ts'
import type { Item } from '../../../state/store.ts'
import { filesIn } from '../form-body.ts'
import type { ItemModel } from './item-model.ts'

/** The fields that say something of a file, by their plain names. */
const FACTS: ReadonlyMap<string, keyof ReceivedFile> = new Map<string, keyof ReceivedFile>([
  ...names('filename', ['filename', 'originalfilename', 'originalname', 'name']),
  ...names('size', ['size', 'bytes', 'filesize', 'sizebytes', 'sizeinbytes', 'bytesize', 'contentlength']),
  ...names('contentType', ['contenttype', 'mimetype', 'mediatype', 'filetype', 'contentmimetype']),
  ...names('sha256', ['sha256']),
])

function names<T extends keyof ReceivedFile>(
  fact: T,
  all: readonly string[],
): readonly (readonly [string, T])[] {
  return all.map((name) => [name, fact])
}

/** What an item says of the file that a body of several parts has for it: none where it has no file, or several. */
export function fileFacts(body: unknown, { fields, own }: Pick<ItemModel, 'fields' | 'own'>): Item {
  const [file, ...others] = filesIn(body)
  if (file === undefined || others.length > 0) return {}
  const said = [...fields.keys()].flatMap((name): [string, unknown][] => {
    const fact = FACTS.get(plainName(name))
    return fact === undefined || file[fact] === undefined ? [] : [[name, file[fact]]]
  })
  return said.length === 0 ? {} : own(Object.fromEntries(said))
}
