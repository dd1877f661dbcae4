import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError, ask, read } from '../api.ts'
import { Field, Problem, Said, Section, Table, valueOf } from '../parts/common.tsx'
import { saveFile } from '../parts/copy.tsx'
import { useOpened } from '../parts/use-opened.ts'
import { visible } from '../parts/visible.ts'
import { useAction, useApi } from '../use-api.ts'
import { Clock } from './clock.tsx'

interface SessionRow {
  readonly key: string
  readonly seed: number | string
  readonly requests: number
}

/** How much of an item its line shows. */
const MAX_LINE = 500

/** How often what was changed meanwhile is read anew. */
const MAX_TRIES = 5

type Item = Readonly<Record<string, unknown>>

interface Collection {
  readonly items: readonly Item[]
}

/** What a session holds: items, clock, seed; and the sessions that there are. */
export function State({ onSession }: { readonly onSession: (key: string) => void }): JSX.Element {
  const [collection, setCollection] = useState<string | undefined>(undefined)
  const store = useApi<Readonly<Record<string, number>>>('store', {}, 3000)
  const sessions = useApi<readonly SessionRow[]>('sessions', {}, 3000)
  const { said, run } = useAction()
  const restore = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    await ask('PUT', 'snapshot', { body: JSON.parse(await file.text()) as unknown })
    store.reload()
  }
  return (
    <>
      <Section
        title="Items"
        actions={
          <span class="bar">
            <button
              type="button"
              onClick={() =>
                run(async () => {
                  saveFile('snapshot.json', JSON.stringify(await ask('GET', 'snapshot'), null, 2))
                }, 'Saved')
              }
            >
              Save a snapshot
            </button>
            <label class="file">
              Restore a snapshot{' '}
              <input
                type="file"
                accept=".json"
                onChange={(event) => {
                  const [file] = event.currentTarget.files ?? []
                  // The same file can be chosen again.
                  event.currentTarget.value = ''
                  run(() => restore(file), 'Restored')
                }}
              />
            </label>
            <button
              type="button"
              onClick={() =>
                run(async () => {
                  await ask('POST', 'reset', { body: {} })
                  store.reload()
                }, 'The session is as it began')
              }
            >
              Reset the session
            </button>
          </span>
        }
      >
        <Said said={said} />
        <Problem text={store.error} />
        <ul class="plain chips">
          {Object.entries(store.data ?? {}).map(([path, count]) => (
            <li key={path}>
              <button type="button" aria-pressed={path === collection} onClick={() => setCollection(path)}>
                {path} <span class="soft">{count}</span>
              </button>
            </li>
          ))}
        </ul>
        {store.data !== undefined && Object.keys(store.data).length === 0 && <p>Nothing is stored yet</p>}
        {collection !== undefined && <Items key={collection} path={collection} onChange={store.reload} />}
      </Section>
      <Clock />
      <Section title="Sessions">
        <Problem text={sessions.error} />
        <Table label="Sessions" heads={['Session', 'Seed', 'Requests', '']}>
          {(sessions.data ?? []).map(({ key, seed, requests }) => (
            <tr key={key}>
              <td>{key === '' ? 'the one without a name' : visible(key)}</td>
              <td>{seed}</td>
              <td class="number">{requests}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Look at session ${key === '' ? 'without a name' : key}`}
                  onClick={() => onSession(key)}
                >
                  Look
                </button>
                {key !== '' && (
                  <button
                    type="button"
                    aria-label={`End session ${key}`}
                    onClick={() =>
                      run(async () => {
                        await ask('DELETE', `sessions/${encodeURIComponent(key)}`)
                        sessions.reload()
                      }, `Session ${key} has ended`)
                    }
                  >
                    End
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  )
}

function Items({ path, onChange }: { readonly path: string; readonly onChange: () => void }): JSX.Element {
  const name = `store/${encodeURIComponent(path.replace(/^\//, ''))}`
  const { data, error, set, reload } = useApi<Collection>(name)
  const [edited, setEdited] = useState<{ readonly item?: Item | undefined } | undefined>(undefined)
  const [text, setText] = useState('')
  const { said, run } = useAction()
  const { ref, onKeyDown } = useOpened<HTMLTextAreaElement>(edited, () => setEdited(undefined))
  const items = data?.items ?? []
  const edit = (item?: Item): void => {
    setEdited({ item })
    setText(JSON.stringify(item ?? {}, null, 2))
  }
  /** Puts others in place of an item, or adds them, whatever else was changed since the items were read. */
  const put = async (item: Item | undefined, others: readonly Item[]): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const { data: now, etag } = await read<Collection>(name)
      const at = item === undefined ? now.items.length : placeOf(item, now.items)
      if (at < 0) {
        reload()
        throw new Error(
          'The item was changed or removed elsewhere. Nothing was stored; the list is as it is now',
        )
      }
      try {
        set(
          await ask<Collection>('PUT', name, {
            body: { items: now.items.toSpliced(at, 1, ...others) },
            etag,
          }),
        )
        break
      } catch (failed) {
        if (!(failed instanceof ApiError && failed.status === 412) || tries === MAX_TRIES) throw failed
      }
    }
    setEdited(undefined)
    onChange()
  }
  return (
    <div>
      <h3>{path}</h3>
      <Problem text={error} />
      <Said said={said} />
      <ul class="plain items">
        {items.slice(0, 200).map((item, index) => (
          <li key={index} class="bar">
            <code class="cut">{visible(JSON.stringify(item).slice(0, MAX_LINE))}</code>
            <span class="end">
              <button type="button" aria-label={`Edit item ${index + 1}`} onClick={() => edit(item)}>
                Edit
              </button>
              <button
                type="button"
                aria-label={`Delete item ${index + 1}`}
                onClick={() => run(() => put(item, []), 'Deleted')}
              >
                Delete
              </button>
            </span>
          </li>
        ))}
      </ul>
      {items.length > 200 && <p class="soft">{items.length - 200} more</p>}
      <button type="button" onClick={() => edit()}>
        Add an item
      </button>
      {edited !== undefined && (
        <form
          onKeyDown={onKeyDown}
          onSubmit={(event) => {
            event.preventDefault()
            run(async () => put(edited.item, [JSON.parse(text) as Item]), 'Stored')
          }}
        >
          <Field label="Item as JSON" wide>
            <textarea ref={ref} rows={8} value={text} onInput={(event) => setText(valueOf(event))} />
          </Field>
          <p class="bar">
            <button type="submit" class="main">
              Store
            </button>
            <button type="button" onClick={() => setEdited(undefined)}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </div>
  )
}

function placeOf(item: Item, items: readonly Item[]): number {
  const text = JSON.stringify(item)
  return items.findIndex((each) => JSON.stringify(each) === text)
}
