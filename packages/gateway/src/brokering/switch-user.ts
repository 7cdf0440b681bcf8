import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type ssh2 from 'ssh2'
import { withoutSequences } from '../rules/control-sequences.ts'
import { type Grant, plain, type SwitchFrom } from '../server-client/wire.ts'
import { SessionDenied } from './session-denied.ts'

const asksPassword = /(?:password|passwd|passphrase|密码|パスワード)[^\n]*[::]\s*$/iu
const failed =
  /(?:authentication failure|incorrect password|sorry|denied|does not exist|not in the sudoers|鉴定|认证失败)/iu
/**
 * Error messages of devices for unknown commands; the prompt of the first account follows. Commands not found by a
 * login shell's own profile do not count.
 */
const unknown =
  /(?:unknown|unrecogni[sz]ed|invalid|incomplete|bad) (?:command|input|keyword)|\b(?:enable|super): (?:command )?not found/iu
const prompt = /[#$>%]\s*$/u
const stepLimit = 15_000
/** Bytes of the target that are kept meanwhile. */
const longestKept = 65_536

/** The account with which a connection signs in before switching to that of the grant; undefined without switching. */
export function switchedFrom(grant: Grant): SwitchFrom | undefined {
  const from = grant.account.su_from
  return grant.platform.su_enabled && from && 'username' in from && from.username !== ''
    ? (from as SwitchFrom)
    : undefined
}

/**
 * The command of a switching method (`su_method`). `exec` leaves no shell of the first account behind when the switch
 * fails or ends.
 */
function commandOf(grant: Grant): string {
  const name = grant.account.username
  if (!/^[\w.@-]{1,64}\$?$/.test(name) || name.startsWith('-')) throw failure(grant)
  switch (plain(grant.platform.su_method)) {
    case 'enable':
      return 'enable'
    case 'super':
      return 'super 15'
    case 'super_level':
      return 'super level 15'
    case 'sudo':
      return `exec env LC_ALL=C sudo su - '${name}'`
    default:
      return `exec env LC_ALL=C su - '${name}'`
  }
}

const failure = (grant: Grant) =>
  new SessionDenied('connect_failed', gatewayMessages.switchUserFailed, { account: grant.account.username })

/**
 * Switches to the account of the grant in a new shell before the user is connected; none of it is shown or recorded.
 * Returns the output of the new shell so far (its prompt). Throws `SessionDenied` when the switch fails.
 */
export async function switchUser(channel: ssh2.ClientChannel, grant: Grant): Promise<Buffer> {
  const asked = plain(grant.platform.su_method) === 'sudo' ? switchedFrom(grant) : grant.account
  const secret = asked?.secret ?? ''
  let seen = ''
  let raw = Buffer.alloc(0)
  const take = (chunk: Buffer) => {
    // A target may write without end: only the last line counts.
    raw = Buffer.concat([raw, chunk]).subarray(-longestKept)
    seen = (seen + withoutSequences(chunk.toString('utf8'))).slice(-4000)
  }
  channel.on('data', take)
  let closed = false
  const onClose = () => {
    closed = true
  }
  channel.once('close', onClose)
  const until = async (check: () => boolean, calm: number) => {
    const end = performance.now() + stepLimit
    let size = -1
    let since = performance.now()
    for (;;) {
      if (closed || performance.now() > end) throw failure(grant)
      if (seen.length !== size) {
        size = seen.length
        since = performance.now()
      }
      if (check() && performance.now() - since >= calm) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  try {
    await until(() => prompt.test(seen), 150)
    seen = ''
    channel.write(`${commandOf(grant)}\r`)
    await until(() => asksPassword.test(seen) || failed.test(seen) || (seen.includes('\n') && prompt.test(seen)), 150)
    if (failed.test(seen) || unknown.test(seen)) throw failure(grant)
    if (asksPassword.test(seen)) {
      raw = Buffer.alloc(0)
      seen = ''
      channel.write(`${secret}\r`)
      await until(() => failed.test(seen) || asksPassword.test(seen) || prompt.test(seen), 150)
      if (failed.test(seen) || asksPassword.test(seen)) throw failure(grant)
    }
    return Buffer.from(raw.toString('latin1').split('\n').at(-1) ?? '', 'latin1')
  } finally {
    channel.removeListener('data', take)
    channel.removeListener('close', onClose)
    channel.pause()
  }
}
