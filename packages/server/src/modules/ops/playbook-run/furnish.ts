/** What a run of Ansible finds in its folder. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunKeys } from '@castellan/connectors/commands'
import { bytesOf, type PlaybookFile } from '../playbook-file.ts'
import { giveProgram, type RunFolder } from './sandbox.ts'

/** What the inventory says of a host. */
export interface InventoryHost {
  readonly name: string
  readonly username: string
  /** Whether the worker switches to other accounts of the host where a play becomes them. */
  readonly switches: boolean
  /** Variables that are about this host. */
  readonly variables: Readonly<Record<string, string>>
}

/** The files, keys and settings of a run in its folder. */
export async function furnish(folder: RunFolder, files: readonly PlaybookFile[], keys: RunKeys): Promise<void> {
  const project = join(folder.play, 'project')
  for (const file of files) {
    const path = join(project, file.path)
    if (file.is_directory) await mkdir(path, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(path, bytesOf(file), { mode: 0o600 })
    }
  }
  await giveProgram(folder, 'connect.py', 'connect.py')
  await giveProgram(folder, 'castellan.py', 'plugins/castellan.py')
  await giveProgram(folder, 'become.py', 'become/castellan.py')
  await writeFile(join(folder.play, 'key'), keys.client.private, { mode: 0o600 })
  await writeFile(
    join(folder.play, 'ansible.cfg'),
    [
      '[defaults]',
      'stdout_callback = castellan',
      'callback_plugins = /play/plugins',
      'become_plugins = /play/become',
      'inventory = /play/inventory.yml',
      'forks = 20',
      'retry_files_enabled = False',
      'local_tmp = /tmp/ansible',
      'private_key_file = /play/key',
      'host_key_checking = False',
      'interpreter_python = auto_silent',
      '[ssh_connection]',
      'pipelining = True',
      // Only commands are forwarded.
      'transfer_method = piped',
      'ssh_args = -F /dev/null -o ControlMaster=no -o IdentitiesOnly=yes -o UserKnownHostsFile=/dev/null',
      '',
    ].join('\n'),
  )
}

/** Values as YAML that is never read as a template: names of assets and parameters are written by others. */
export const unsafe = (values: Readonly<Record<string, string>>, indent = '') =>
  Object.entries(values)
    .map(([name, value]) => `${indent}${JSON.stringify(name)}: !unsafe ${JSON.stringify(value)}\n`)
    .join('')

export function inventoryOf(hosts: readonly InventoryHost[], numberOf: (name: string) => string): string {
  const each = hosts.map(({ name, username, switches, variables }) => {
    const values = {
      ...variables,
      ansible_connection: 'ssh',
      ansible_host: numberOf(name),
      ansible_user: username,
      ...(switches ? { ansible_become_method: 'castellan' } : {}),
      ansible_ssh_common_args: `-o ProxyCommand="python3 /play/connect.py /play/hosts/${numberOf(name)}"`,
    }
    return `    ${JSON.stringify(name)}:\n${unsafe(values, '      ')}`
  })
  return `all:\n  hosts:\n${each.join('')}`
}
