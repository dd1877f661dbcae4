import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { Field, Problem, Said, Section, Table, valueOf } from '../parts/common.tsx'
import { useOpened } from '../parts/use-opened.ts'
import { useAction, useApi } from '../use-api.ts'
import { OverrideForm, type Override } from './override-form.tsx'
import type { RouteRow } from './route-row.ts'
import { TryForm } from './try-form.tsx'

interface Adapters {
  readonly adapters: readonly { readonly name: string; readonly host?: string; readonly prefix?: string }[]
}

/** The routes, and what can be done with one. */
export function Routes(): JSX.Element {
  const { data: routes = [], error } = useApi<readonly RouteRow[]>('routes', {}, 2000)
  const { data: adapters } = useApi<Adapters>('adapters')
  const overrides = useApi<readonly Override[]>('overrides', {}, 2000)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const { said, run } = useAction()
  const { ref, onKeyDown } = useOpened<HTMLDivElement>(chosen, () => setChosen(undefined))
  const found = routes.filter(({ route, summary = '' }) =>
    `${route} ${summary}`.toLowerCase().includes(search.toLowerCase()),
  )
  const route = routes.find((each) => each.route === chosen)
  return (
    <>
      <Section
        title="Routes"
        actions={
          <Field label="Find">
            <input type="search" value={search} onInput={(event) => setSearch(valueOf(event))} />
          </Field>
        }
      >
        <Problem text={error} />
        <Table label="Routes" heads={['Route', 'From', 'Requests', 'What it is for', '']}>
          {found.slice(0, 500).map((each) => (
            <tr key={each.route} class={each.route === chosen ? 'selected' : ''}>
              <td>
                <code>{each.route}</code>
              </td>
              <td>{each.source}</td>
              <td class="number">{each.requests}</td>
              <td>{each.summary ?? ''}</td>
              <td>
                <button
                  type="button"
                  aria-label={`Open ${each.route}`}
                  aria-expanded={each.route === chosen}
                  onClick={() => setChosen(each.route === chosen ? undefined : each.route)}
                >
                  Open
                </button>
              </td>
            </tr>
          ))}
          {(adapters?.adapters ?? []).map(({ name, host = '', prefix = '' }) => (
            <tr key={name}>
              <td>
                <code>
                  {host}
                  {prefix}/**
                </code>
              </td>
              <td>adapter</td>
              <td />
              <td>{name}</td>
              <td />
            </tr>
          ))}
        </Table>
        {found.length > 500 && <p class="soft">{found.length - 500} more: find them by name</p>}
        {routes.length === 0 && <p>No routes are declared</p>}
      </Section>
      <div
        class="columns"
        key={chosen}
        ref={ref}
        role="group"
        aria-label={chosen ?? 'Any route'}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <TryForm route={route} />
        <OverrideForm route={route} onAdded={overrides.reload} />
      </div>
      <Section
        title="Overrides in force"
        actions={
          <button
            type="button"
            disabled={(overrides.data ?? []).length === 0}
            onClick={() => run(async () => overrides.set(await ask('DELETE', 'overrides')), 'Removed')}
          >
            Remove all
          </button>
        }
      >
        <Said said={said} />
        <Problem text={overrides.error} />
        {(overrides.data ?? []).length === 0 && <p>None</p>}
        <ul class="plain">
          {(overrides.data ?? []).map(({ id, route: own, method = 'any', path, status, times, used }) => (
            <li key={id} class="bar">
              <code>{own ?? `${method} ${path ?? '/**'}`}</code>
              <span>
                answers {status}, used {used}
                {times === undefined ? ' times, until it is removed' : ` of ${times} times`}
              </span>
              <button
                type="button"
                aria-label={`Remove override ${id}`}
                onClick={() =>
                  run(async () => overrides.set(await ask('DELETE', `overrides/${id}`)), 'Removed')
                }
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}
