import type { DownloadSink } from './jobs.ts'

interface FileHandle {
  createWritable(): Promise<{ write(part: Blob): Promise<void>; close(): Promise<void>; abort(): Promise<void> }>
  remove?(): Promise<void>
}
type Picker = (options: { suggestedName: string }) => Promise<FileHandle>

/** Larger files are streamed to disk, if the browser supports it. */
export const streamedFrom = 64 * 1024 * 1024

/**
 * Opens the target of a download. Call it from the click handler, because the browser opens a file dialog. Undefined if
 * the user canceled it.
 */
export async function downloadSink(name: string, size: number): Promise<DownloadSink | undefined> {
  const picker = (window as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!picker || size < streamedFrom) return memorySink(name)
  let handle: FileHandle
  try {
    handle = await picker({ suggestedName: name })
  } catch {
    return undefined
  }
  const file = await handle.createWritable()
  return {
    write: (part) => file.write(part),
    save: () => file.close(),
    drop: async () => {
      await file.abort()
      await handle.remove?.()
    },
  }
}

/** Parts are blobs, which browsers can move out of memory; the file is saved when complete. */
function memorySink(name: string): DownloadSink {
  let parts: Blob[] = []
  return {
    write: async (part) => void parts.push(part),
    save: async () => {
      const address = URL.createObjectURL(new Blob(parts, { type: 'application/octet-stream' }))
      parts = []
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    },
    drop: async () => {
      parts = []
    },
  }
}
