/** What a record holds under a name that came from outside; never what every object has, such as `constructor`. */
export const own = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined

export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input) && !Buffer.isBuffer(input)

/** The object a body is; an empty one for anything else. */
// biome-ignore lint/suspicious/noExplicitAny: a body holds anything, and whoever reads it looks
export const objectOf = (body: unknown): Record<string, any> => (isObject(body) ? body : {})
