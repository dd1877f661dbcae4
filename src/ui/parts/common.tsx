import type { ComponentChildren, JSX } from 'preact'
import { useOneStop } from './one-stop.ts'

/** What an action came to; read out when it changes. */
export function Said({
  said,
}: {
  readonly said: { readonly text: string; readonly isError: boolean } | undefined
}): JSX.Element {
  return (
    <p role="status" class={said?.isError === true ? 'said bad' : 'said good'}>
      {said?.text ?? ''}
    </p>
  )
}

/** An error in place of what could not be had. */
export function Problem({ text }: { readonly text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : (
    <p role="alert" class="bad">
      {text}
    </p>
  )
}

/** Says of several gateways with a shared state which one something is of. */
export function OfGateway({ name }: { readonly name: string | undefined }): JSX.Element | null {
  return name === undefined ? null : (
    <p class="soft">
      Of gateway <strong>{name}</strong> alone
    </p>
  )
}

/** A part of a view with a heading. */
export function Section({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <section aria-label={title}>
      <div class="bar">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** A field with its label. */
export function Field({
  label,
  wide = false,
  children,
}: {
  readonly label: string
  readonly wide?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  return (
    <label class={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
    </label>
  )
}

/** A table that scrolls by itself where it is too wide, and whose controls are one stop for Tab. */
export function Table({
  label,
  heads,
  children,
}: {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ComponentChildren
}): JSX.Element {
  const stop = useOneStop()
  return (
    <div class="scroll" role="group" aria-label={label} {...stop}>
      <table>
        <thead>
          <tr>
            {heads.map((head) =>
              head === '' ? (
                <td key={head} />
              ) : (
                <th scope="col" key={head}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

/** The value of the field that an event is of. */
export function valueOf(event: { readonly currentTarget: { readonly value: string } }): string {
  return event.currentTarget.value
}

/** A status with its colour, which is not all that tells it. */
export function Status({ status }: { readonly status: number | undefined }): JSX.Element {
  const kind = status === undefined || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'
  return <span class={`status ${kind}`}>{status ?? 'none'}</span>
}

/** Milliseconds for people. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(ms >= 10_000 ? 0 : 1)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** Bytes for people. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
