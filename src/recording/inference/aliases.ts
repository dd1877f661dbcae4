/**
 * The fields that a parameter may mean which has another name: `author_id`, `authorId` and `author` say the id of the
 * author that items have as `author: { id }` or under one of the other names.
 */
export function aliasesOf(parameter: string): readonly string[] {
  const stem = /^(.+?)(?:[_-]?id|Id|ID)$/.exec(parameter)?.[1] ?? parameter
  const names = [`${stem}.id`, `${stem}_id`, `${stem}Id`, stem]
  return [...names, ...(stem === parameter ? [`${stem}.name`] : [])].filter((name) => name !== parameter)
}
