import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const inMemory = '/dev/shm'
/** Two test runs at once need less. Bytes. */
const enough = 2 ** 31

/**
 * Parent folder for the data of throw-away databases. In memory where the machine offers room for it: SQLite syncs each
 * commit to disk, which tests would wait for. Elsewhere the folder for temporary files.
 */
export function memoryFolder(): string {
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize >= enough ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}
