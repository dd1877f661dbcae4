/** Objects or links that cannot be added, each with its reason. */
export class AdditionInvalid extends Error {
  override readonly name = 'AdditionInvalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Nothing was added:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.problems = problems
  }
}
