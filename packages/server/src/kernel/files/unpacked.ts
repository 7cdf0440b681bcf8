/** Maximum parts of an archive. Each part takes time, however small; a workbook has about a dozen. */
const mostParts = 1000

/** An archive whose files open with another password, or with none. */
export class LockedArchive extends Error {}

/**
 * Parts of an archive by path. Stops as soon as they exceed `limit` bytes in total, whatever sizes the archive
 * declares, so that a decompression bomb is harmless. Throws for anything that is not an archive or has more parts than
 * any workbook.
 * @param wanted paths of the parts that are read
 * @param password of the archive
 * @returns undefined when the limit is exceeded
 * @throws LockedArchive
 */
export async function partsOf(
  bytes: Buffer,
  limit: number,
  wanted: RegExp,
  password?: string,
): Promise<Map<string, Buffer> | undefined> {
  const { Uint8ArrayReader, ZipReader } = await import('@zip.js/zip.js')
  const packed = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false })
  const found = new Map<string, Buffer>()
  let size = 0
  let parts = 0
  for await (const entry of packed.getEntriesGenerator()) {
    parts += 1
    if (parts > mostParts) throw new Error('Too many parts.')
    if (entry.directory || !wanted.test(entry.filename)) continue
    const pieces: Uint8Array[] = []
    const stop = new AbortController()
    const collect = new WritableStream<Uint8Array>({
      write(part) {
        size += part.length
        if (size > limit) stop.abort()
        else pieces.push(part)
      },
    })
    if (entry.encrypted && !password) throw new LockedArchive()
    try {
      await entry.getData(collect, { signal: stop.signal, ...(password ? { password } : {}) })
    } catch (error) {
      if (stop.signal.aborted) return undefined
      if (entry.encrypted) throw new LockedArchive()
      throw error
    }
    found.set(entry.filename, Buffer.concat(pieces))
  }
  return found
}
