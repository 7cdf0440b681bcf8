import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A small disk of its own, which can grow; undefined where this process may not mount one. */
export function smallDisk(folder: string, megabytes: number) {
  mkdirSync(folder, { recursive: true })
  const mount = (...words: string[]) => execFileSync('mount', [...words, folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs')
  } catch {
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    /** Leaves so many bytes free; to the last one without a number. */
    fill(leave = 0) {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave)))
      } catch {
        // Somebody else was quicker with the last bytes, which is just as full.
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    grow: (megabytes: number) => void mount('-o', `remount,size=${megabytes}m`),
    unmount: () => void execFileSync('umount', ['-l', folder]),
  }
}
