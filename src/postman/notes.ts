/** How many of those without a saved answer are named. */
const MAX_NAMED = 5

/**
 * What is in a collection and not simulated as it stands there.
 * @param unanswered the requests without a saved answer, of which is said once, however many they are
 * @param schemes the kinds of credentials that are not known
 */
export function notesOf(
  unanswered: readonly string[],
  others: readonly string[],
  schemes: Iterable<string>,
): string[] {
  const ownNotes = unanswered.length === 0 ? [] : [noteOf(unanswered)]
  return [...ownNotes, ...others, ...[...schemes].map((name) => `security scheme: ${name}`)]
}

function noteOf(unanswered: readonly string[]): string {
  const [only = ''] = unanswered
  if (unanswered.length === 1) return `request without a saved answer: ${only}`
  const named = unanswered.slice(0, MAX_NAMED).join(', ')
  const more = unanswered.length > MAX_NAMED ? `, and ${unanswered.length - MAX_NAMED} more` : ''
  return `${unanswered.length} requests without a saved answer: ${named}${more}`
}
