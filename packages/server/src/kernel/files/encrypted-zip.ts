import { PassThrough, pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** AES-256, supported by all common archivers. */
const strongest = 3

/**
 * A zip archive with one password-protected file, created while the content streams in.
 * @param password as typed by the user
 */
export async function encryptedZip(name: string, content: Readable, password: string): Promise<Readable> {
  const { ZipWriter } = await import('@zip.js/zip.js')
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  // Web workers exist to keep a browser's main thread free; here they are useless.
  const archive = new ZipWriter(writable, { useWebWorkers: false })
  // Line-wise content arrives as text, the archive takes bytes. Errors reach the archive through the stream.
  const bytes = pipeline(content, new PassThrough(), () => undefined)
  const file = Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>
  void archive
    .add(name, file, { password, encryptionStrength: strongest })
    .then(() => archive.close())
    .catch((error: unknown) => writable.abort(error).catch(() => undefined))
  return Readable.fromWeb(readable as unknown as ReadableStream)
}
