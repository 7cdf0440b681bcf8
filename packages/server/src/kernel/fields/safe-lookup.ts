import type { StoredRow } from '../../db/database.ts'

/** The own property of a record for a name from outside; never an inherited one such as `constructor`. */
export const own = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** Whether a value from outside is a JSON object: not an array, and not the bytes of an unparsed body. */
export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && !Buffer.isBuffer(input)

/** The body as an object; an empty one for anything else. */
export const objectOf = (body: unknown): StoredRow => (isObject(body) ? body : {})
