/** A file from the person's machine with its place below the folder it was dropped into. */
export interface DroppedFile {
  file: File
  /** Folders above it, outermost first; empty for a plain file. */
  folders: string[]
}

/** Everything that was dropped, folders opened. Must be called in the event itself, before anything is awaited. */
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
  // A reader gives at most a hundred at a time and says with an empty answer that it is done.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const one of some) found.push(...(await walk(one, [...folders, entry.name])))
  }
}

/** The folders to make first, each once and parents before children. */
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
