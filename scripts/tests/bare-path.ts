import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findProgram, withoutPartsVariable } from '../../packages/testing/src/detect.ts'

/** What every machine has that Node.js and npm can be installed on: a shell and the programs of POSIX it cannot do without. */
const everywhere =
  '[ awk basename bash cat chmod chown cp cut date dd df dirname du echo env expr false find getent grep gunzip gzip head hostname id kill ln ls mkdir mkfifo mktemp mount mv nice od paste printf ps pwd readlink rm rmdir sed seq setsid sh sleep sort stat stty tail tar tee test touch tr true tty umount uname uniq wc which whoami xargs'

/**
 * The environment of a machine with only Node.js and npm: none of the optional parts of the tests is found in it, so a
 * test that uses one without saying so fails.
 */
export function bareEnvironment(env: NodeJS.ProcessEnv = process.env): { env: NodeJS.ProcessEnv; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bare-'))
  const programs = join(folder, 'bin')
  mkdirSync(programs)
  for (const name of everywhere.split(' ')) {
    const path = findProgram(name)
    if (path) symlinkSync(path, join(programs, name))
  }
  // npm finds its own modules beside the file that its link leads to.
  for (const name of ['npm', 'npx']) {
    const path = findProgram(name)
    if (path) symlinkSync(path, join(programs, name))
  }
  const { CASTELLAN_DEMAND_PARTS: _, ...rest } = env
  return {
    env: { ...rest, PATH: `${dirname(process.execPath)}:${programs}`, [withoutPartsVariable]: '1' },
    folder,
  }
}
