import { randomUUIDv7 } from 'node:crypto'

/** Index of the version digit of a UUID. */
const version = 14

/**
 * The id of a new row: formally a UUID of version 4, as the contract requires and clients check, whose first 48 bits
 * are the time of creation in milliseconds. Rows created together are adjacent in every index over ids, so storing many
 * touches few pages of the database; entirely random ids would touch one page per row. The other 74 bits are random.
 * Ids are not secrets; secrets are separate values.
 */
export const newRowId = (): string => asRowId(randomUUIDv7())

/** Converts a UUID of any version from outside to the id of a row. */
export const asRowId = (uuid: string): string => `${uuid.slice(0, version)}4${uuid.slice(version + 1)}`
