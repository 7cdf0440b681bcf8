import { randomUUIDv7 } from 'node:crypto'

/**
 * The id of a new row: a version 7 UUID, which begins with the moment it was made. Rows made together stand together
 * in every index over ids, so that storing many touches few pages of the database; with random ids it touches one for
 * each row. The other 74 bits are random; what must be secret besides has a secret of its own.
 */
export const newRowId = (): string => randomUUIDv7()
