import { wordOf } from '../../kit/row.ts'

/** A recording as the log keeps it: `<id of the session> of <user> to <asset>` (contract, audits). */
const recording = /^[0-9a-f-]{36} of (.+) to (.+)$/

/** What an entry is about, in no language: of a recording, whose it is and where. */
export function subjectOf(resource: unknown): string {
  const text = wordOf(resource)
  return text.replace(recording, '$1 → $2')
}
