import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Debian directories that are not in an ordinary user's PATH. */
const extraFolders = ['/usr/sbin', '/sbin', '/usr/local/sbin', '/usr/lib/openssh']

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The full path of the first installed program of a list. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...extraFolders].filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(executable)
}

/** The directory of PostgreSQL's server programs, of the newest installed version. */
export function findPostgresFolder(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const installed = versions
    .map((version) => join(debian, version, 'bin'))
    .find((bin) => executable(join(bin, 'initdb')))
  const onPath = findProgram('initdb')
  return installed ?? onPath?.slice(0, -'/initdb'.length)
}

/** Test dependencies that npm does not install, with their Debian packages. */
const catalogue = {
  chromium: { find: () => findProgram('chromium', 'chromium-browser', 'google-chrome'), package: 'chromium' },
  sshd: { find: () => findProgram('sshd'), package: 'openssh-server' },
  ssh: { find: () => findProgram('ssh'), package: 'openssh-client' },
  sftp: { find: () => findProgram('sftp'), package: 'openssh-client' },
  scp: { find: () => findProgram('scp'), package: 'openssh-client' },
  'sftp-server': { find: () => findProgram('sftp-server'), package: 'openssh-sftp-server' },
  rsync: { find: () => findProgram('rsync'), package: 'rsync' },
  ansible: { find: () => findProgram('ansible'), package: 'ansible' },
  openssl: { find: () => findProgram('openssl'), package: 'openssl' },
  postgresql: { find: findPostgresFolder, package: 'postgresql' },
  vim: { find: () => findProgram('vim'), package: 'vim' },
  tmux: { find: () => findProgram('tmux'), package: 'tmux' },
  sudo: { find: () => findProgram('sudo'), package: 'sudo' },
  less: { find: () => findProgram('less'), package: 'less' },
} as const

export type Part = keyof typeof catalogue
export const allParts = Object.keys(catalogue) as Part[]

/** Path of an installed part; undefined if missing. Not cached, because a look-up takes microseconds. */
export function partPath(part: Part): string | undefined {
  return catalogue[part].find()
}

/** The command that installs a part. */
export function howToGet(part: Part): string {
  return `apt-get install ${catalogue[part].package}`
}

/** Path of an installed part. @throws Error with installation instructions */
export function requirePart(part: Part): string {
  const path = partPath(part)
  if (!path) throw new Error(`${part} is not installed: ${howToGet(part)}`)
  return path
}
