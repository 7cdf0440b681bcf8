import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderVariable, untilEnded } from '@castellan/testing/shared-product'

/** Gives the products that test processes share a place for their data, and removes it when the last has ended. */
export default function setup(): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-shared-'))
  process.env[folderVariable] = folder
  return async () => {
    await untilEnded(readdirSync(folder).map((name) => join(folder, name)))
    rmSync(folder, { recursive: true, force: true })
  }
}
