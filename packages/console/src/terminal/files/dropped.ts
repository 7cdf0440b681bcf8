/** A file of the user's machine with its path in the dropped folder. */
export interface DroppedFile {
  file: File
  /** Parent folders, outermost first; empty for a plain file. */
  folders: string[]
}

/**
 * All dropped files, including those in folders. Call it synchronously in the event handler: the data is gone after the
 * first await.
 */
export function droppedFiles(data: DataTransfer): Promise<DroppedFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  if (entries.length === 0) return Promise.resolve([...data.files].map((file) => ({ file, folders: [] })))
  return Promise.all(entries.map((entry) => walk(entry, []))).then((found) => found.flat())
}

async function walk(entry: FileSystemEntry, folders: string[]): Promise<DroppedFile[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, folders }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: DroppedFile[] = []
  // A reader returns at most a hundred entries at a time, and an empty result at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const one of some) found.push(...(await walk(one, [...folders, entry.name])))
  }
}

/** The folders to create first, without duplicates, parents before children. */
export function foldersOf(files: DroppedFile[]): string[][] {
  const paths = new Map<string, string[]>()
  for (const { folders } of files) {
    folders.forEach((_, depth) => {
      const path = folders.slice(0, depth + 1)
      paths.set(path.join('/'), path)
    })
  }
  return [...paths.values()].sort((a, b) => a.length - b.length)
}
