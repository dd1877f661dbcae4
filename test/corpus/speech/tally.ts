import type { Heard } from './check-speech.ts'

const WANTED = 0.99

/** How many operations and properties say what their descriptions say. */
export class Tally {
  /** What falls short, a line each. */
  readonly shortcomings: string[] = []
  done = 0
  readonly #operations = { said: 0, shown: 0 }
  readonly #parts = { said: 0, shown: 0, decided: 0 }
  #requested = 0
  #failed = 0
  #skipped = 0

  add(name: string, heard: readonly Heard[]): void {
    this.done++
    for (const { operation, failed, isExample, parts } of heard) {
      this.#requested++
      if (failed !== undefined) {
        this.#failed++
        this.shortcomings.push(`not requested\t${name}\t${operation}\t${failed.replaceAll(/\s+/g, ' ')}`)
      }
      if (isExample !== undefined) {
        this.#operations.said++
        if (isExample) this.#operations.shown++
        else this.shortcomings.push(`example\t${name}\t${operation}`)
      }
      for (const { path, isShown, isDecided, said, shown } of parts) {
        if (isDecided) this.#parts.decided++
        else {
          this.#parts.said++
          if (isShown) this.#parts.shown++
          else
            this.shortcomings.push(`part\t${name}\t${operation}\t${path}\t${textOf(said)}\t${textOf(shown)}`)
        }
      }
    }
  }

  skip(name: string, reason: string): void {
    this.done++
    this.#skipped++
    this.shortcomings.push(`not served\t${name}\t${reason.slice(0, 300).replaceAll(/\s+/g, ' ')}`)
  }

  get isReached(): boolean {
    return this.examples >= WANTED && this.parts >= WANTED
  }

  /** Share of the operations with an example that answer it. */
  get examples(): number {
    return shareOf(this.#operations)
  }

  /** Share of the properties with an example or default that show it. */
  get parts(): number {
    return shareOf(this.#parts)
  }

  text(): string {
    const [operations, parts] = [this.#operations, this.#parts]
    return [
      `${this.done - this.#skipped} descriptions, ${this.#requested} operations requested, ${this.#failed} of them without success, ${this.#skipped} descriptions not served`,
      `operations that answer their example: ${operations.shown} of ${operations.said} (${percent(this.examples)})`,
      `properties that show what is said of them: ${parts.shown} of ${parts.said} (${percent(this.parts)}); ${parts.decided} more that the request, the resource or the page decides`,
      '',
    ].join('\n')
  }
}

function shareOf({ said, shown }: { readonly said: number; readonly shown: number }): number {
  return said === 0 ? 1 : shown / said
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}

function textOf(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 120)
}
