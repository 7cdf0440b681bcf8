/** Maximum parts of an archive. Each part takes time, however small; a workbook has about a dozen. */
const mostParts = 1000

/**
 * Repacks an archive with its parts stored uncompressed, so that readers cannot be hit by a decompression bomb. Stops
 * as soon as the parts exceed `limit` bytes in total, whatever sizes the archive declares. Throws for anything that is
 * not an archive or has more parts than any workbook.
 * @returns undefined when the limit is exceeded
 */
export async function unpacked(bytes: Buffer, limit: number): Promise<Buffer | undefined> {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } = await import('@zip.js/zip.js')
  const inPlace = { useWebWorkers: false }
  const packed = new ZipReader(new Uint8ArrayReader(bytes), inPlace)
  const plain = new ZipWriter(new Uint8ArrayWriter(), { ...inPlace, level: 0 })
  let size = 0
  let parts = 0
  for await (const entry of packed.getEntriesGenerator()) {
    parts += 1
    if (parts > mostParts) throw new Error('Too many parts.')
    if (entry.directory) continue
    const pieces: Uint8Array[] = []
    const stop = new AbortController()
    const collect = new WritableStream<Uint8Array>({
      write(part) {
        size += part.length
        if (size > limit) stop.abort()
        else pieces.push(part)
      },
    })
    try {
      await entry.getData(collect, { signal: stop.signal })
    } catch (error) {
      if (stop.signal.aborted) return undefined
      throw error
    }
    await plain.add(entry.filename, new Uint8ArrayReader(Buffer.concat(pieces)))
  }
  return Buffer.from(await plain.close())
}
