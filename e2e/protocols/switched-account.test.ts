import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { describeWith, itWith } from '@castellan/testing/parts'
import type { RunningProduct } from '@castellan/testing/product'
import { sharedProduct } from '@castellan/testing/shared-product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { byPassword, type SshPerson, sshTerminal } from '../openssh.ts'

const password = 'Switched-accounts-1'
const privileged = 'Level-15-secret'
const patience = { timeout: 20_000, interval: 50 }

/** The command line of a switch: it knows three ways to the privileged mode, and says by which one it was entered. */
const deviceShell = `#!/bin/bash
mode='>'
while IFS= read -r -p "switch$mode " line; do
  case "$line" in
    enable | 'super 15' | 'super level 15')
      read -rs -p 'Password: ' given
      echo
      if [ "$given" = '${privileged}' ]; then mode='#' way="$line"; else echo '% Access denied'; fi ;;
    'show privilege') echo "privileged by: \${way:-nothing}" ;;
    exit) exit 0 ;;
    ?*) echo '% Unknown command' ;;
  esac
done
`

describeWith(['sshd', 'ssh-keygen', 'ssh', 'sudo'], 'an account that is reached from another one', () => {
  let product: RunningProduct
  let admin: Client
  let user: AnyRow
  let person: SshPerson
  /** Signs in, and has the account that is switched to on the same machine. */
  let target: RealSshd
  let second: RealSshd
  const folder = mkdtempSync(join(tmpdir(), 'castellan-switched-'))
  const sudoers = () => `/etc/sudoers.d/${target.username}`

  beforeAll(async () => {
    ;[target, second, product] = await Promise.all([startSshd({ shell: '/bin/sh' }), startSshd(), sharedProduct()])
    admin = await signIn(product.url, 'admin', product.adminPassword)
    user = await makePerson(admin, 'ada', password)
    person = byPassword(folder, 'ada', password)
  })
  afterAll(async () => {
    if (target) rmSync(sudoers(), { force: true })
    await target?.stop()
    await second?.stop()
    rmSync(folder, { recursive: true })
  })

  const open = (asset: unknown, account: string) => sshTerminal(product, person, `ada@${account}@${asset}`)
  const platform = (name: string, method: string, kind: object) =>
    admin.collection('assets/platforms').create({
      name,
      su_enabled: true,
      su_method: method,
      protocols: [{ name: 'ssh', port: 22, primary: true, default: true }],
      ...kind,
    })
  const account = (username: string, secret: string | undefined, more: object = {}) => ({
    name: username,
    username,
    secret_type: 'password',
    secret,
    ...more,
  })
  const storeSecret = async (host: AnyRow, username: string, secret: string) => {
    const accounts = admin.collection('accounts/accounts')
    const [row] = await accounts.all({ asset: host.id, username })
    await accounts.change(row?.id ?? '', { name: username, secret })
  }

  for (const method of ['su', 'sudo'])
    describeWith('root', `by ${method}`, () => {
      let host: AnyRow

      beforeAll(async () => {
        const linux = await platform(`Linux-${method}`, method, { category: 'host', type: 'linux' })
        host = await makeHost(admin, target, `switching-${method}`, {
          platform: linux.id,
          protocols: [{ name: 'ssh', port: target.port }],
          accounts: [account(target.username, target.password)],
        })
        // With sudo it is the first account's own password that is asked for.
        writeFileSync(sudoers(), `${target.username} ALL=(ALL) ALL\n`, { mode: 0o440 })
        const [from] = await admin.collection('accounts/accounts').all({ asset: host.id })
        const secret = method === 'su' ? second.password : undefined
        const own = { asset: host.id, ...account(second.username, secret, { su_from: from?.id }) }
        await admin.collection('accounts/accounts').create(own)
        await permit(admin, user, [host])
      })

      it('opens as the second account, and no password is shown or recorded', async () => {
        const terminal = open(host.name, second.username)
        await vi.waitFor(() => expect(terminal.news()).toMatch(/\$ $/), patience)
        terminal.type('echo "I am $(whoami)"; exit 5\r')
        await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
        expect(terminal.text()).toContain(`I am ${second.username}`)
        for (const hidden of [second.password, target.password, 'su -']) expect(terminal.text()).not.toContain(hidden)
      })

      it('ends with a text when the password is not taken', async () => {
        await storeSecret(host, method === 'su' ? second.username : target.username, 'not-its-password')
        const terminal = open(host.name, second.username)
        await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
        expect(terminal.text()).toMatch(
          method === 'su' ? `Switching to ${second.username} failed` : 'rejected the account',
        )
        expect(terminal.text()).not.toContain('not-its-password')
      })
    })

  itWith('root', 'on a device by enable, super and super level', async () => {
    const shell = join(folder, 'device')
    // The person of the target has to get there.
    chmodSync(folder, 0o755)
    writeFileSync(shell, deviceShell, { mode: 0o755 })
    const device = await startSshd({ shell })
    try {
      for (const [method, command] of [
        ['enable', 'enable'],
        ['super', 'super 15'],
        ['super_level', 'super level 15'],
      ] as const) {
        const kind = await platform(`Switch-${method}`, method, { category: 'device', type: 'switch' })
        const asset = await admin.collection('assets/devices').create({
          name: `switch-${method}`,
          address: device.host,
          platform: kind.id,
          protocols: [{ name: 'ssh', port: device.port }],
          nodes_display: ['/Default'],
          accounts: [account(device.username, device.password)],
        })
        const [from] = await admin.collection('accounts/accounts').all({ asset: asset.id })
        await admin.collection('accounts/accounts').create({
          asset: asset.id,
          ...account('level15', privileged, { su_from: from?.id }),
        })
        await permit(admin, user, [asset])
        const terminal = open(asset.name, 'level15')
        await vi.waitFor(() => expect(terminal.news()).toMatch(/switch# $/), patience)
        terminal.type('show privilege\rexit\r')
        await vi.waitFor(() => expect(terminal.code()).not.toBeUndefined(), patience)
        expect(terminal.text()).toContain(`privileged by: ${command}\r\n`)
        expect(terminal.text()).not.toContain(privileged)
      }
      // A device does not know the commands of another system.
      await expect(platform('Switch-su', 'su', { category: 'device', type: 'switch' })).rejects.toMatchObject({
        status: 400,
        body: { su_method: [expect.stringContaining('su is not available')] },
      })
    } finally {
      await device.stop()
    }
  })
})
