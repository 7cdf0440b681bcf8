import { permActionBits } from '@castellan/contract/choices/perms'
import type { AccountRow } from '../../accounts/index.ts'
import type { Platform } from '../../assets/index.ts'
import { type Access, protocolPasses } from '../../perms/index.ts'

/** Protocols by which a module runs, in order of preference. */
const protocolsOfModule: Readonly<Record<string, readonly string[]>> = {
  shell: ['ssh'],
  python: ['ssh'],
  raw: ['ssh'],
  win_shell: ['winrm', 'ssh'],
  mysql: ['mysql', 'mariadb'],
  postgresql: ['postgresql'],
  sqlserver: ['sqlserver'],
  upload: ['ssh', 'sftp'],
  fetch: ['ssh', 'sftp'],
}

/** Why nothing runs on an asset; keys of its messages. */
export type Exclusion = 'not_permitted' | 'automation_disabled' | 'no_protocol' | 'no_account' | 'no_transfer'

export interface Choice {
  readonly account: AccountRow
  readonly protocol: { name: string; port: number }
}

/** Actions that a permission needs beside `connect`. */
const actionOfModule: Readonly<Record<string, number>> = {
  upload: permActionBits.upload,
  fetch: permActionBits.download,
}

export const actionOf = (module: string): number => actionOfModule[module] ?? 0

/** The first account in the list of usernames, else what the policy says. */
function accountBy(candidates: readonly AccountRow[], runas: string, policy: string): AccountRow | undefined {
  const wanted = new Set(
    runas
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
  const named = candidates.find(({ username }) => wanted.has(username.toLowerCase()))
  if (named || policy === 'skip') return named
  const [first] = candidates.toSorted((a, b) => Number(b.privileged) - Number(a.privileged))
  return policy === 'privileged_first' || first?.privileged ? first : undefined
}

/** The account and protocol with which a module runs on an asset, out of those that its user is permitted. */
export function chooseAccount(
  access: Access | undefined,
  platform: Platform | undefined,
  protocols: readonly { name: string; port: number }[],
  { module, runas, runas_policy }: { module: string; runas: string; runas_policy: string },
  now: number,
  takes: (protocol: string, secretType: string) => boolean,
): Choice | Exclusion {
  if (!access) return 'not_permitted'
  if (!platform?.automation.ansible_enabled) return 'automation_disabled'
  const offered = (protocolsOfModule[module] ?? []).flatMap((name) => protocols.filter((one) => one.name === name))
  if (offered.length === 0) return 'no_protocol'
  const protocol = offered.find(({ name }) => protocolPasses(access.rules, name))
  if (!protocol) return 'not_permitted'
  const usable = access.accounts.flatMap(({ account, actions, dateExpired }) =>
    account?.secret &&
    (actions & permActionBits.connect) !== 0 &&
    dateExpired > now &&
    takes(protocol.name, account.secret_type)
      ? [{ account, actions }]
      : [],
  )
  const account = accountBy(
    usable.map((one) => one.account),
    runas,
    runas_policy,
  )
  if (!account) return 'no_account'
  const action = actionOf(module)
  const isAllowed = usable.some((one) => one.account.id === account.id && (one.actions & action) === action)
  return isAllowed ? { account, protocol } : 'no_transfer'
}
