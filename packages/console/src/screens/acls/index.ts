import { detail, form, list } from '../../kit/resource.ts'
import { type Screen, screen } from '../../kit/screen.ts'

const lists = () => import('./command-rules.tsx')
const filterForm = form(async () => (await import('./command-filters.tsx')).form)
const groupForm = form(async () => (await import('./command-groups.tsx')).form)
const assetLogin = () => import('./asset-login-rules.tsx')
const assetLoginForm = form(async () => (await assetLogin()).form)
const connectMethod = () => import('./connect-method-rules.tsx')
const connectMethodForm = form(async () => (await connectMethod()).form)

const login = () => import('./login-rules.tsx')
const loginForm = form(async () => (await login()).form)

export const screens: readonly Screen[] = [
  screen(
    'UserLoginAclList',
    'loginRules',
    list(async () => (await login()).list),
  ),
  screen('UserLoginAclCreate', 'loginRuleCreate', loginForm),
  screen('UserLoginAclUpdate', 'loginRuleUpdate', loginForm),
  screen(
    'UserLoginAclDetail',
    'loginRuleDetail',
    detail(async () => (await login()).detail),
  ),
  screen('CommandFilterAclList', 'commandFilters', lists),
  screen('CommandFilterAclCreate', 'commandFilterCreate', filterForm),
  screen('CommandFilterAclUpdate', 'commandFilterUpdate', filterForm),
  screen(
    'CommandFilterAclDetail',
    'commandFilterDetail',
    detail(async () => (await import('./command-filters.tsx')).detail),
  ),
  screen('CommandGroupList', 'commandGroups', lists),
  screen('CommandGroupCreate', 'commandGroupCreate', groupForm),
  screen('CommandGroupUpdate', 'commandGroupUpdate', groupForm),
  screen(
    'CommandGroupDetail',
    'commandGroupDetail',
    detail(async () => (await import('./command-groups.tsx')).detail),
  ),
  screen(
    'AssetAclList',
    'assetLoginRules',
    list(async () => (await assetLogin()).list),
  ),
  screen('AssetAclCreate', 'assetLoginRuleCreate', assetLoginForm),
  screen('AssetAclUpdate', 'assetLoginRuleUpdate', assetLoginForm),
  screen(
    'AssetAclDetail',
    'assetLoginRuleDetail',
    detail(async () => (await assetLogin()).detail),
  ),
  screen(
    'ConnectMethodAclList',
    'connectMethodRules',
    list(async () => (await connectMethod()).list),
  ),
  screen('ConnectMethodAclCreate', 'connectMethodRuleCreate', connectMethodForm),
  screen('ConnectMethodAclUpdate', 'connectMethodRuleUpdate', connectMethodForm),
  screen(
    'ConnectMethodAclDetail',
    'connectMethodRuleDetail',
    detail(async () => (await connectMethod()).detail),
  ),
]
