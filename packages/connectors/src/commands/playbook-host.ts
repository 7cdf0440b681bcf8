/**
 * One host of a playbook. Ansible runs where there is no network and no secret; its SSH client signs in here, over a unix
 * socket with a key of this run, and what it runs goes on over the connection that we signed in to.
 */
import { chmod } from 'node:fs/promises'
import ssh2 from 'ssh2'
import { type Become, SystemFailure, type SystemLogin, type SystemTarget } from '../accounts/account-system.ts'
import { inSshSession } from '../accounts/ssh-session.ts'
import { openedInTime } from '../ssh/opened-in-time.ts'
import { execSwitched } from './switched-exec.ts'

/** Keys of one run, in the form of OpenSSH. */
export interface RunKeys {
  readonly host: string
  readonly client: { readonly private: string; readonly public: string }
}

/** Keys that are thrown away with the run. */
export function runKeys(): RunKeys {
  const { generateKeyPairSync } = ssh2.utils
  // Of its Ed25519 keys, the library cannot read every three-hundredth again.
  const make = () => generateKeyPairSync('ecdsa', { bits: 256 })
  const client = make()
  return { host: make().private, client: { private: client.private, public: client.public } }
}

/** Commands of one host at the same time; Ansible runs one or two. */
const mostChannels = 8

/** Connects the three streams and the status of a command with those of the client. */
function join(local: ssh2.ServerChannel, remote: ssh2.ClientChannel, noted: CarriedCommand): void {
  let status: { code: number | null; signal: string | undefined } | undefined
  local.on('error', () => remote.close())
  remote.on('error', () => local.close())
  remote.on('exit', (code: number | null, signal?: string) => {
    status = { code, signal }
  })
  local.on('data', (bytes: Buffer) => noted.input(bytes))
  local.pipe(remote)
  remote.pipe(local, { end: false })
  remote.stderr.pipe(local.stderr, { end: false })
  remote.once('close', () => {
    noted.end(status?.code ?? undefined)
    if (status?.signal) local.exit(status.signal.replace(/^SIG/, ''), false, '')
    else local.exit(status?.code ?? 255)
    local.end()
    local.close()
  })
  local.once('close', () => remote.close())
}

/** Notes what becomes of a command: what is written to its standard input, and its status once it has ended. */
export interface CarriedCommand {
  input(bytes: Buffer): void
  end(status: number | undefined): void
}

/** Is told of each command before the host receives it; the command is not carried when it fails. */
export type Carrying = (command: string, username: string) => Promise<CarriedCommand>

/** Finds how the login becomes an account of the target; undefined for those that it may not become. */
export type Becoming = (username: string) => Promise<Become | undefined>

/** A command that is to run as another account, as the plugin of the run announces it. */
function switchIn(command: string): { username: string; command: string } | undefined {
  const quoted = /^\S+ -c '(?<inner>CASTELLAN_BECOME=.*)'$/s.exec(command)?.groups?.inner
  const parts = /^CASTELLAN_BECOME=(?<name>[A-Za-z0-9+/]+=*):(?<length>\d{1,4}) (?<rest>.*)$/s.exec(
    quoted?.replaceAll(`'"'"'`, "'") ?? '',
  )?.groups
  if (!parts?.name || !parts.rest) return undefined
  const username = Buffer.from(parts.name, 'base64').toString('utf8')
  return { username, command: parts.rest.slice(Number(parts.length) + 1) }
}

interface Forwarding {
  readonly become: Becoming
  readonly carry: Carrying
}

/** Runs a command of the client on the target, with its three streams and its status. */
async function forward(
  target: ssh2.Client,
  login: SystemLogin,
  { become, carry }: Forwarding,
  command: string,
  pty: ssh2.PseudoTtyInfo | undefined,
  local: ssh2.ServerChannel,
): Promise<void> {
  const wanted = switchIn(command)
  const switched = wanted && (await become(wanted.username))
  const usedLogin = switched ? { ...login, become: switched } : login
  const carried = wanted && switched ? wanted.command : command
  const noted = await carry(carried, usedLogin.become?.username ?? login.username)
  try {
    if (usedLogin.become) return await execSwitched(target, usedLogin, carried, (remote) => join(local, remote, noted))
    await openedInTime<ssh2.ClientChannel>((done) => {
      const opened = (error: Error | undefined, remote: ssh2.ClientChannel) => {
        // Now: a short command has ended before anything that waits goes on.
        if (!error) join(local, remote, noted)
        done(error, remote)
      }
      if (pty) target.exec(command, { pty: { ...pty, term: 'dumb' } as never }, opened)
      else target.exec(command, opened)
    })
  } catch (error) {
    noted.end(undefined)
    throw error
  }
}

function failed(local: ssh2.ServerChannel, error: unknown): void {
  const why = error instanceof SystemFailure ? `: ${error.message}` : ''
  local.stderr.write(`the host did not run the command${why}\n`)
  local.exit(255)
  local.end()
  local.close()
}

function serve(keys: RunKeys, target: ssh2.Client, login: SystemLogin, forwarding: Forwarding): ssh2.Server {
  const expected = ssh2.utils.parseKey(keys.client.public)
  if (expected instanceof Error) throw expected
  const key = Array.isArray(expected) ? expected[0] : expected
  const known = key.getPublicSSH()
  return new ssh2.Server({ hostKeys: [keys.host] }, (client) => {
    let channels = 0
    client.on('error', () => undefined)
    client.on('authentication', (offered) => {
      if (offered.method !== 'publickey' || !known.equals(offered.key.data)) return offered.reject(['publickey'])
      // Without a signature the client only asks whether the key would do.
      const { blob, signature } = offered
      if (blob && signature && key.verify(blob, signature, offered.hashAlgo) !== true)
        return offered.reject(['publickey'])
      offered.accept()
    })
    client.on('session', (acceptSession, rejectSession) => {
      if (channels >= mostChannels) return rejectSession()
      channels++
      const session = acceptSession()
      let pty: ssh2.PseudoTtyInfo | undefined
      session.on('pty', (accept, _reject, info) => {
        pty = info
        accept?.()
      })
      session.on('exec', (accept, _reject, { command }) => {
        // At once: what a client sends before is lost, and OpenSSH does not wait.
        const local = accept()
        forward(target, login, forwarding, command, pty, local).catch((error: unknown) => failed(local, error))
      })
      session.on('close', () => {
        channels--
      })
    })
  })
}

/**
 * Signs in to a target and serves it at a unix socket until `work` has ended.
 * Commands run as the account that the login becomes, if there is one, or as the one that a play becomes.
 * @throws SystemFailure, errors of the connection, or what `work` throws
 */
export function withPlaybookHost<T>(
  target: SystemTarget,
  login: SystemLogin,
  { path, keys, ...forwarding }: { readonly path: string; readonly keys: RunKeys } & Forwarding,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  return inSshSession(target, login, async (client) => {
    const lost = new AbortController()
    client.once('close', () => lost.abort(new Error('the connection was lost')))
    const server = serve(keys, client, login, forwarding)
    await new Promise<void>((listening, fail) => {
      server.once('error', fail)
      server.listen(path, () => listening())
    })
    try {
      // The folder above lets in nobody but the run.
      await chmod(path, 0o666)
      return await work(lost.signal)
    } finally {
      server.close()
    }
  })
}
