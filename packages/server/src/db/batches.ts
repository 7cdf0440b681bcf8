/** Rows per statement: databases limit the bound values of a statement. */
const batchSize = 500

/** Splits a long list into batches of at most `size`, for statements that name rows one by one. */
export function* batches<T>(list: readonly T[], size: number = batchSize): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
