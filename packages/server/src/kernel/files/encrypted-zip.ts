import { PassThrough, pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** AES with 256 bits, in the form that every common archiver opens. */
const strongest = 3

/**
 * A zip archive with one file that only the password opens, made while the file flows in.
 * @param password as it is typed
 */
export async function encryptedZip(name: string, content: Readable, password: string): Promise<Readable> {
  const { ZipWriter } = await import('@zip.js/zip.js')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // Its workers are for browsers, whose one thread draws the page.
  const archive = new ZipWriter(writable, { useWebWorkers: false })
  // What is made line by line comes as text; an archive takes bytes. A failure reaches the archive through the stream.
  const bytes = pipeline(content, new PassThrough(), () => undefined)
  const file = Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>
  void archive
    .add(name, file, { password, encryptionStrength: strongest })
    .then(() => archive.close())
    .catch((error: unknown) => writable.abort(error).catch(() => undefined))
  return Readable.fromWeb(readable as unknown as ReadableStream)
}
