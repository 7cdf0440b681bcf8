/** The permissions of a role as a tree, and their dependencies. Pure. */
import { type Branch, branches, type TreeNode } from '../../kit/tree/nodes.ts'

export interface Right {
  id: string
  name: string
  /** `app.action_model` on leaves. */
  code: string
  leaf: boolean
  locked: boolean
  checked: boolean
  children: Right[]
}

const connection = [
  'authentication.view_connectiontoken',
  'authentication.add_connectiontoken',
  'authentication.expire_connectiontoken',
  'authentication.reuse_connectiontoken',
]

/** Selecting the key also selects these. Dependencies never deselect. */
export const dependencies: Readonly<Record<string, readonly string[]>> = {
  'tickets.change_ticketflow': ['users.view_user', 'tickets.view_ticket'],
  'tickets.view_ticket': ['assets.match_asset', 'assets.match_node', 'rbac.view_workbench'],
  'tickets.view_ticketflow': ['tickets.view_ticket'],
  'users.invite_user': ['users.match_user', 'rbac.add_orgrolebinding', 'rbac.view_orgrolebinding', 'rbac.view_orgrole'],
  'assets.view_asset': ['assets.view_platform'],
  'assets.add_asset': ['assets.view_platform'],
  'assets.change_asset': ['assets.view_platform'],
  'assets.view_node': ['assets.view_asset', 'assets.view_platform'],
  'assets.add_gateway': ['assets.view_domain', 'assets.view_platform', 'assets.view_node'],
  'assets.change_gateway': ['assets.view_domain', 'assets.view_platform', 'assets.view_node'],
  'assets.refresh_assethardwareinfo': ['assets.change_asset'],
  'accounts.view_gatheredaccount': ['assets.view_asset', 'assets.view_node'],
  'accounts.view_account': ['assets.view_node'],
  'accounts.view_accountsecret': ['accounts.view_account'],
  'accounts.view_historyaccount': ['accounts.view_account', 'accounts.view_accountsecret'],
  'accounts.view_historyaccountsecret': ['accounts.view_account', 'accounts.view_accountsecret'],
  'accounts.view_accounttemplatesecret': ['accounts.view_accounttemplate'],
  'accounts.change_accounttemplatesecret': ['accounts.view_accounttemplate'],
  'accounts.add_account': ['assets.view_asset'],
  'perms.view_assetpermission': ['assets.view_node'],
  'settings.change_systemmsgsubscription': ['users.view_user'],
  'terminal.add_terminal': ['terminal.view_commandstorage', 'terminal.view_replaystorage'],
  'terminal.change_terminal': ['terminal.view_commandstorage', 'terminal.view_replaystorage'],
  'terminal.view_replaystorage': ['settings.change_terminal'],
  'terminal.view_status': ['settings.change_terminal'],
  'terminal.view_task': ['settings.change_terminal'],
  'terminal.view_terminal': ['settings.change_terminal'],
  'ops.view_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.change_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.add_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.add_jobexecution': ['ops.view_celerytaskexecution'],
  'authentication.add_connectiontoken': ['rbac.view_webterminal'],
  'rbac.view_workbench': connection,
}

/** Dependencies of every action of a model. */
const modelDependencies: Readonly<Record<string, readonly string[]>> = {
  'rbac.orgrolebinding': ['rbac.view_orgrole', 'users.view_user'],
  'rbac.systemrolebinding': ['rbac.view_systemrole', 'users.view_user'],
  'acls.loginacl': ['users.view_user'],
  'acls.loginassetacl': ['users.view_user'],
  'acls.commandfilteracl': ['users.view_user'],
  'acls.commandgroup': ['acls.view_commandfilteracl'],
  'assets.gateway': ['assets.view_domain'],
  'perms.assetpermission': ['assets.view_asset', 'assets.view_node', 'users.view_user', 'users.view_usergroup'],
}

const rightOf = ({ node, children = [] }: Branch): Right => ({
  id: String(node.id),
  name: node.name.replace(/\s*\(\d+\/\d+\)$/, ''),
  code: node.title ?? '',
  leaf: !node.isParent && children.length === 0,
  locked: Boolean(node.chkDisabled),
  checked: Boolean(node.checked),
  children: children.map(rightOf),
})

/** Converts the flat response of the server to a tree. */
export const rightsTree = (nodes: readonly TreeNode[]): Right[] => branches(nodes).map(rightOf)

export const leavesOf = (rights: readonly Right[]): Right[] =>
  rights.flatMap((right) => (right.leaf ? [right] : leavesOf(right.children)))

/** The same permissions, all selectable. */
export const unlocked = (rights: readonly Right[]): Right[] =>
  rights.map((right) => ({ ...right, locked: false, children: unlocked(right.children) }))

const model = (code: string): string => code.replace(/\.(\w+?)_/, '.')
const action = (code: string): string => /\.(\w+?)_/.exec(code)?.[1] ?? ''

/** Leaf ids after the user selected or deselected some. */
export function follow(leaves: readonly Right[], before: ReadonlySet<string>, after: ReadonlySet<string>): Set<string> {
  const out = new Set(after)
  const byCode = new Map<string, Right[]>()
  for (const leaf of leaves) byCode.set(leaf.code, [...(byCode.get(leaf.code) ?? []), leaf])
  const tick = (code: string): void => {
    for (const leaf of byCode.get(code) ?? []) {
      if (out.has(leaf.id)) continue
      out.add(leaf.id)
      also(code)
    }
  }
  const also = (code: string): void => {
    if (action(code) !== 'view' && action(code) !== 'match') tick(code.replace(/\.(\w+?)_/, '.view_'))
    for (const next of [...(dependencies[code] ?? []), ...(modelDependencies[model(code)] ?? [])]) tick(next)
  }
  for (const leaf of leaves) {
    const was = before.has(leaf.id)
    if (!was && after.has(leaf.id)) also(leaf.code)
    if (was && !after.has(leaf.id) && action(leaf.code) === 'view') {
      for (const other of leaves) {
        const kind = action(other.code)
        if (model(other.code) === model(leaf.code) && kind !== 'view' && kind !== 'match') out.delete(other.id)
      }
    }
  }
  return out
}
