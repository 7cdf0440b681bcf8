import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Environment variable: none of the optional parts is found, as on a machine that has only Node.js and npm. */
export const withoutPartsVariable = 'CASTELLAN_TEST_WITHOUT_PARTS'

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

/** A tmpfs that could be mounted here, for tests that fill a disk. */
function findMount(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return folder
  } catch {
    return undefined
  } finally {
    rmdirSync(folder)
  }
}

const program = (name: string, packageName: string) => ({
  find: () => findProgram(name),
  get: `apt-get install ${packageName}`,
})

/** Everything tests use that not every machine has, with what brings it. */
const catalogue = {
  chromium: {
    // The one without windows needs a third less of a processor for the same pages.
    find: () => findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'),
    get: 'apt-get install chromium',
  },
  sshd: program('sshd', 'openssh-server'),
  'ssh-keygen': program('ssh-keygen', 'openssh-client'),
  ssh: program('ssh', 'openssh-client'),
  sftp: program('sftp', 'openssh-client'),
  scp: program('scp', 'openssh-client'),
  'sftp-server': program('sftp-server', 'openssh-sftp-server'),
  rsync: program('rsync', 'rsync'),
  ansible: program('ansible', 'ansible'),
  openssl: program('openssl', 'openssl'),
  git: program('git', 'git'),
  prlimit: program('prlimit', 'util-linux'),
  postgresql: { find: findPostgresFolder, get: 'apt-get install postgresql' },
  mariadb: { find: () => findProgram('mariadbd'), get: 'apt-get install mariadb-server' },
  redis: program('redis-server', 'redis-server'),
  slapd: program('slapd', 'slapd'),
  freeradius: program('freeradius', 'freeradius'),
  moto: {
    find: () => findProgram('moto_server'),
    get: "pip install 'moto[ec2,server]', with moto_server in the PATH",
  },
  azurite: {
    find: () => findProgram('azurite-blob'),
    get: 'npm install azurite@3, with node_modules/.bin in the PATH',
  },
  vcsim: {
    find: () => findProgram('vcsim'),
    get: 'go install github.com/vmware/govmomi/vcsim@v0.18.0, with vcsim in the PATH',
  },
  msoffcrypto: {
    find: () => findProgram('msoffcrypto-tool'),
    get: 'pip install msoffcrypto-tool, with msoffcrypto-tool in the PATH',
  },
  vault: {
    find: () => findProgram('castellan-test-vault'),
    get: 'go -C packages/testing/vault build -o DIRECTORY/castellan-test-vault, with DIRECTORY in the PATH',
  },
  opensearch: {
    find: () => findProgram('castellan-test-opensearch'),
    get: 'packages/testing/opensearch/install.sh DIRECTORY (needs Maven and a JDK), with DIRECTORY in the PATH',
  },
  ping: program('ping', 'iputils-ping'),
  nmap: program('nmap', 'nmap'),
  tcpdump: program('tcpdump', 'tcpdump'),
  traceroute: program('traceroute', 'traceroute'),
  vim: program('vim', 'vim'),
  tmux: program('tmux', 'tmux'),
  top: program('top', 'procps'),
  sudo: program('sudo', 'sudo'),
  less: program('less', 'less'),
  busybox: program('busybox', 'busybox-static'),
  linux: { find: () => (process.platform === 'linux' ? '/proc' : undefined), get: 'run the tests on Linux' },
  root: { find: () => (process.getuid?.() === 0 ? '/root' : undefined), get: 'run the tests as root' },
  mount: { find: findMount, get: 'run the tests as root, where file systems may be mounted' },
} as const

export type Part = keyof typeof catalogue
export const allParts = Object.keys(catalogue) as Part[]

/** Where a part is; undefined when it is not there. */
export function partPath(part: Part): string | undefined {
  if (process.env[withoutPartsVariable] === '1' && part !== 'linux') return undefined
  return catalogue[part].find()
}

/** The command that installs a part. */
export function howToGet(part: Part): string {
  return catalogue[part].get
}

/** What the tests of a file have declared; undefined outside of tests. */
interface Declarations {
  /** By the whole file. */
  byFile: Set<Part>
  /** By the running test and the groups it is in, each as often as it was. */
  running: Part[]
}

let declarations: Declarations | undefined

/** From now on a part has to be declared before it is used, so that a test says what it needs wherever it runs. */
export function demandDeclarations(): void {
  declarations = { byFile: new Set(), running: [] }
}

/** A file has tests that need these parts: what it prepares for all of them may use them. */
export function declareForFile(parts: readonly Part[]): void {
  for (const part of parts) declarations?.byFile.add(part)
}

/** From here on tests run that need these parts. */
export function beginUse(parts: readonly Part[]): void {
  declarations?.running.push(...parts)
}

export function endUse(parts: readonly Part[]): void {
  for (const part of parts) declarations?.running.splice(declarations.running.lastIndexOf(part), 1)
}

function isDeclared(part: Part): boolean {
  if (!declarations) return true
  const { byFile, running } = declarations
  return running.length > 0 ? running.includes(part) : byFile.has(part)
}

/** Path of an installed part. @throws Error with installation instructions, or when a test uses it undeclared */
export function requirePart(part: Part): string {
  const path = partPath(part)
  if (!path) throw new Error(`${part} is not installed: ${howToGet(part)}`)
  if (!isDeclared(part))
    throw new Error(`This test uses ${part}, which not every machine has: name it in describeWith or itWith.`)
  return path
}
