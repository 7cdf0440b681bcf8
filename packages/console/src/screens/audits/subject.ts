import { wordOf } from '../../kit/row.ts'

/** A recording as stored in the log: `<id of the session> of <user> to <asset>`. */
const recording = /^[0-9a-f-]{36} of (.+) to (.+)$/

/** The object of an entry without English words: user and asset of a recording. */
export function subjectOf(resource: unknown): string {
  const text = wordOf(resource)
  return text.replace(recording, '$1 → $2')
}
