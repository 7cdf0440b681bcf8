/** What a record holds under a name that came from outside; never what every object has, such as `constructor`. */
export const own = <V>(record: Readonly<Record<string, V>> | undefined, name: string): V | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined
