import type { FileUpload } from '@castellan/contract/web-terminal'
import { fetchFrom } from '../bytes.ts'
import { type Files, fileErrorCode, isPassing } from './files-api.ts'
import type { TransferJob, Verdict } from './transfers.ts'

/** Bytes per request: small enough for visible progress, large enough for throughput. */
const piece = 4 * 1024 * 1024
/** Bytes of a download between progress updates. */
const portion = 1024 * 1024

export type Conflict = 'fail' | 'replace' | 'suffix'

export interface UploadJob extends TransferJob {
  /** The user's decision after `exists`. */
  conflict: Conflict
}

/** Upload of one file to `path`. @param maxPiece largest body the gateway accepts, in bytes */
export function uploadJob(files: Files, file: File, path: string, maxPiece: number): UploadJob {
  let upload: FileUpload | undefined
  const size = Math.min(piece, maxPiece)
  const job: UploadJob = {
    direction: 'up',
    name: file.name,
    size: file.size,
    conflict: 'fail',
    begin: async (signal) => {
      upload = upload
        ? await files.lookUpload(upload.id, signal)
        : await files.beginUpload(path, file.size, job.conflict, signal)
      return upload
    },
    step: async (offset, signal) => {
      if (!upload) throw new Error('not begun')
      const body = file.slice(offset, offset + size, 'application/octet-stream')
      upload = await files.sendPiece(upload.id, offset, body, signal)
      return { offset: upload.offset, done: upload.done }
    },
    finish: async () => undefined,
    abandon: async () => {
      if (upload && !upload.done) await files.dropUpload(upload.id)
    },
  }
  return job
}

/** Target of a download: a file chosen by the user, or memory until the browser saves it. */
export interface DownloadSink {
  write(part: Blob): Promise<void>
  save(): Promise<void>
  drop(): Promise<void>
}

/** Download of one file from `path`. Pause aborts the response; resume requests the rest. */
export function downloadJob(files: Files, path: string, name: string, size: number, sink: DownloadSink): TransferJob {
  const url = files.downloadUrl(path)
  let written = 0
  let total: number | undefined
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  return {
    direction: 'down',
    name,
    size,
    begin: async (signal) => {
      const range = await fetchFrom(url, written, signal)
      reader = range.stream.getReader()
      total = range.total
      return { offset: written, done: false }
    },
    step: async () => {
      if (!reader) throw new Error('not begun')
      const parts: Uint8Array<ArrayBuffer>[] = []
      let length = 0
      let done = false
      while (length < portion && !done) {
        const next = await reader.read()
        done = next.done
        if (next.value) {
          parts.push(next.value)
          length += next.value.length
        }
      }
      await sink.write(new Blob(parts))
      written += length
      if (done && total !== undefined && written < total) throw new TypeError('the answer broke off')
      return { offset: written, size: total, done }
    },
    finish: () => sink.save(),
    abandon: () => sink.drop(),
  }
}

/** How a transfer reacts to an error of the gateway. */
export function judgeTransfer(error: unknown): Verdict {
  const code = fileErrorCode(error)
  if (code === 'exists') return 'conflict'
  if (code === 'offset_mismatch') return 'resync'
  return isPassing(error) ? 'again' : 'fail'
}
