import { Binary, BSON, type Document } from 'mongodb'
import { SystemFailure } from '../account-system.ts'

/** Rounds of the password's hash that are computed for a server, which has 15,000 unless somebody changed it. */
const mostRounds = 100_000

const opReply = 1
const opMsg = 2013
const headerLength = 16
/** Where the document of an answer begins. */
const beginnings: Readonly<Record<number, number>> = { [opReply]: headerLength + 20, [opMsg]: headerLength + 5 }

/** The number of rounds in a message of SCRAM, read as the driver reads it. */
function roundsIn(payload: unknown): number {
  const text = payload instanceof Binary ? payload.toString('utf8') : String(payload ?? '')
  const parts = text.split(',').map((part) => part.split('='))
  return Math.max(0, ...parts.flatMap(([name, value]) => (name === 'i' ? [Number.parseInt(value ?? '', 10) || 0] : [])))
}

function refusalOf(message: Buffer): SystemFailure | undefined {
  const begins = beginnings[message.readInt32LE(12)]
  // A message of another kind, such as a compressed one, was not asked for.
  if (begins === undefined || message.length < begins + 5)
    return new SystemFailure('bad_answer', 'the server answers what no such server answers')
  const { payload, speculativeAuthenticate } = BSON.deserialize(message.subarray(begins)) as Document
  const rounds = Math.max(roundsIn(payload), roundsIn((speculativeAuthenticate as Document | undefined)?.payload))
  return rounds > mostRounds
    ? new SystemFailure('bad_answer', `the server asks for ${rounds} rounds of hashing the password`)
    : undefined
}

/**
 * Watches what a server sends. The driver would hash the password as often as it is told, which nothing can end, and a
 * few of such servers would keep every thread of this program busy.
 */
export function limitRounds(): (chunk: Buffer) => SystemFailure | undefined {
  let parts: Buffer[] = []
  let length = 0
  return (chunk) => {
    parts.push(chunk)
    length += chunk.length
    for (;;) {
      if (length < headerLength) return undefined
      if ((parts[0]?.length ?? 0) < headerLength) parts = [Buffer.concat(parts)]
      const expected = parts[0]?.readInt32LE(0) ?? 0
      if (expected < headerLength) return new SystemFailure('bad_answer', 'the server sent a message without a length')
      if (length < expected) return undefined
      const whole = Buffer.concat(parts)
      try {
        const refusal = refusalOf(whole.subarray(0, expected))
        if (refusal) return refusal
      } catch {
        return new SystemFailure('bad_answer', 'the server sent a message that is no document')
      }
      parts = [whole.subarray(expected)]
      length -= expected
    }
  }
}
