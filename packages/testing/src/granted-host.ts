import type { AnyRow, Client } from './client.ts'
import type { RealSshd } from './sshd.ts'

/** A user who can sign in. */
export function makePerson(admin: Client, username: string, password: string, more: object = {}): Promise<AnyRow> {
  return admin.collection('users/users').create({
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password,
    need_update_password: false,
    ...more,
  })
}

/** A host backed by a real sshd, with the account that sshd accepts by key. */
export function makeHost(admin: Client, sshd: RealSshd, name: string, more: object = {}): Promise<AnyRow> {
  return admin.collection('assets/hosts').create({
    name,
    address: '127.0.0.1',
    platform: 1,
    protocols: ['ssh', 'sftp'].map((protocol) => ({ name: protocol, port: sshd.port })),
    nodes_display: ['/Default'],
    accounts: [{ name: 'person', username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey }],
    ...more,
  })
}

export function permit(admin: Client, user: AnyRow, assets: AnyRow[], actions: string[] = ['all']): Promise<AnyRow> {
  return admin.collection('perms/asset-permissions').create({
    name: `${user.username} on ${assets.map(({ name }) => name).join(' ')}: ${actions.join(' ')}`,
    users: [user.id],
    assets: assets.map(({ id }) => id),
    accounts: ['@ALL'],
    protocols: ['all'],
    actions,
  })
}

/** Rejects `rm -rf` and `shutdown` for all users and assets. */
export async function refuseDangerous(admin: Client): Promise<void> {
  const group = await admin
    .collection('acls/command-groups')
    .create({ name: 'dangerous', type: 'command', content: 'rm -rf\nshutdown' })
  await admin.collection('acls/command-filter-acls').create({
    name: 'refuse',
    action: 'reject',
    priority: 50,
    command_groups: [group.id],
    users: { type: 'all' },
    assets: { type: 'all' },
    accounts: ['@ALL'],
  })
}
