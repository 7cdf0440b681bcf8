import type { AnyRow } from '../db/database.ts'

/** What a record holds under a name that came from outside; never what every object has, such as `constructor`. */
export const own = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

/** Whether a value from outside is a JSON object: no list, and no bytes that were not read. */
export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && !Buffer.isBuffer(input)

/** The object a body is; an empty one for anything else. */
export const objectOf = (body: unknown): AnyRow => (isObject(body) ? body : {})
