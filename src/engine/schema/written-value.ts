/** A value that was written without being made. */
export class WrittenValue {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }

  /** The value itself, made for those alone who need it. */
  toJSON(): unknown {
    return JSON.parse(this.json)
  }
}
