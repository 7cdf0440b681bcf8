/** How many rows one statement may concern: databases limit the values of a statement, and many rows want few statements. */
const batchSize = 500

/** A long list in parts of at most `size`, for statements that name rows one by one. */
export function* batches<T>(list: readonly T[], size: number = batchSize): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
