import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { requirePart } from './detect.ts'
import { freePort } from './ports.ts'

const program = '/usr/sbin/sshd'

/** OpenSSH's own server on a free port, with its own host key and one user. */
export interface RealSshd {
  host: string
  port: number
  pid(): number
  username: string
  /** Only set when tests run as root: otherwise OpenSSH cannot check a password. */
  password?: string
  privateKey: string
  privateKeyFile: string
  home: string
  /** `SHA256:…` of its current host key. */
  fingerprint(): string
  /** Replaces its host key, as after a reinstallation or an interception. */
  changeHostKey(): Promise<void>
  /** Creates a further account of this machine with a password, until it is stopped; `sudo`: one that may become root. Only as root. */
  addAccount(options?: { sudo?: boolean }): { username: string; password: string }
  /** Ends every connection it has, as when its machine dies. Only as root, where its account is its own. */
  dropConnections(): void
  stop(): Promise<void>
}

/**
 * Starts a real sshd. As root it creates a temporary account with a password; as an ordinary user it accepts that user.
 * `acceptsOwnKeys`: it also accepts the keys in the home folder of whoever signs in.
 * `readsProfiles`: Bash reads `.bashrc` before each command, as it does behind an sshd.
 */
export async function startSshd(
  options: { shell?: string; config?: string[]; acceptsOwnKeys?: boolean; readsProfiles?: boolean } = {},
): Promise<RealSshd> {
  requirePart('sshd')
  requirePart('ssh-keygen')
  const folder = mkdtempSync(join(tmpdir(), 'castellan-sshd-'))
  const asRoot = process.getuid?.() === 0
  const person = asRoot
    ? addPerson(options.shell ?? '/bin/bash')
    : { username: userInfo().username, home: userInfo().homedir }
  const keyFile = join(folder, 'person')
  const hostKeyFile = join(folder, 'host')
  const makeKey = (file: string) => {
    rmSync(file, { force: true })
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  }
  makeKey(keyFile)
  makeKey(hostKeyFile)
  writeFileSync(join(folder, 'authorized'), readFileSync(`${keyFile}.pub`), { mode: 0o644 })
  execFileSync('chmod', ['755', folder])
  const port = await freePort()
  writeFileSync(
    join(folder, 'config'),
    [
      // The first of several values counts.
      ...(options.config ?? []),
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${hostKeyFile}`,
      `PidFile ${join(folder, 'pid')}`,
      `AuthorizedKeysFile ${join(folder, 'authorized')}${options.acceptsOwnKeys ? ' .ssh/authorized_keys' : ''}`,
      'StrictModes no',
      'UsePAM no',
      `PasswordAuthentication ${asRoot ? 'yes' : 'no'}`,
      'KbdInteractiveAuthentication no',
      'AllowTcpForwarding yes',
      'MaxSessions 600',
      'MaxStartups 600:30:1000',
      'PrintMotd no',
      'PrintLastLog no',
      'AcceptEnv LANG LC_*',
      // Bash then does not read the profile of this machine's user before each command.
      ...(options.readsProfiles ? [] : ['SetEnv SHLVL=2']),
      'Subsystem sftp /usr/lib/openssh/sftp-server',
    ].join('\n'),
  )
  if (asRoot) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  let child = await run(folder, port)
  const stopChild = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await ended
    }
  }
  const further: string[] = []
  return {
    host: '127.0.0.1',
    port,
    pid: () => child.pid ?? 0,
    ...person,
    privateKey: readFileSync(keyFile, 'utf8'),
    privateKeyFile: keyFile,
    fingerprint: () =>
      execFileSync('ssh-keygen', ['-lf', `${hostKeyFile}.pub`], { encoding: 'utf8' }).split(' ')[1] ?? '',
    async changeHostKey() {
      await stopChild()
      makeKey(hostKeyFile)
      child = await run(folder, port)
    },
    addAccount({ sudo = false } = {}) {
      requirePart('root')
      if (sudo) requirePart('sudo')
      const { username, password } = addPerson(options.shell ?? '/bin/bash')
      further.push(username)
      if (sudo) writeFileSync(sudoersOf(username), `${username} ALL=(ALL) ALL\n`, { mode: 0o440 })
      return { username, password }
    },
    dropConnections() {
      if (asRoot) endProcesses(person.username)
    },
    async stop() {
      await stopChild()
      if (asRoot) for (const username of [person.username, ...further]) removePerson(username)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function run(folder: string, port: number) {
  const child = spawn(program, ['-D', '-e', '-f', join(folder, 'config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`sshd did not start: ${log}`)), 10_000)
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000)
      if (log.includes(`listening on 127.0.0.1 port ${port}`)) {
        clearTimeout(timer)
        resolve()
      }
    })
    child.once('exit', () => reject(new Error(`sshd ended: ${log}`)))
  })
  return child
}

function addPerson(shell: string): { username: string; home: string; password: string } {
  const username = `ct${randomBytes(4).toString('hex')}`
  const password = randomBytes(12).toString('base64url')
  const home = `/home/${username}`
  execFileSync('useradd', ['-m', '-d', home, '-s', shell, username])
  execFileSync('chpasswd', { input: `${username}:${password}\n` })
  return { username, password, home }
}

function endProcesses(username: string): void {
  try {
    execFileSync('pkill', ['-KILL', '-u', username], { stdio: 'ignore' })
  } catch {
    // All processes of this account have ended.
  }
}

const sudoersOf = (username: string) => `/etc/sudoers.d/${username}`

function removePerson(username: string): void {
  endProcesses(username)
  for (const name of [username, `castellan-${username}`]) rmSync(sudoersOf(name), { force: true })
  try {
    execFileSync('userdel', ['-rf', username], { stdio: 'ignore' })
  } catch {
    // A test has removed it.
  }
}
