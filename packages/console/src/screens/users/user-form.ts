import { roleIds } from '@castellan/contract/ids'
import { pathOf } from '@castellan/contract/routes'
import type { FormSpec, Values } from '../../kit/form/spec.ts'
import { brokenRule, passwordRules } from '../../kit/form/widgets/Secret.tsx'
import { can, inRoot, licensed } from '../../kit/session.ts'
import type { WireForm } from '../../kit/wire.ts'
import { sendsMail } from './mail.ts'
import { url } from './users.tsx'

const local = (values: Values): boolean => (values.source ?? 'local') === 'local'
const custom = (values: Values, id?: string): boolean =>
  id ? values.update_password === true : values.password_strategy === 'custom'

export const form: FormSpec<WireForm<typeof url, 'update_password' | 'set_public_key'>> = {
  url,
  path: pathOf('UserList'),
  resource: 'users.user',
  noun: 'user',
  initial: async () => ({
    system_roles: [roleIds.user],
    org_roles: [roleIds.orgUser],
    // Without email, the user would not receive the link.
    password_strategy: (await sendsMail()) ? 'email' : 'custom',
    source: 'local',
    mfa_level: 0,
    is_active: true,
    need_update_password: true,
  }),
  groups: [
    {
      key: 'account',
      title: 'groupAccount',
      help: 'groupAccountHelp',
      fields: ['name', 'username', 'email', 'groups'],
    },
    {
      key: 'auth',
      title: 'groupAuthentication',
      help: 'groupAuthenticationHelp',
      fields: [
        'source',
        'mfa_level',
        'password_strategy',
        'update_password',
        'password',
        'need_update_password',
        'set_public_key',
        'public_key',
      ],
    },
    {
      key: 'secure',
      title: 'groupRights',
      help: 'groupRightsHelp',
      fields: ['system_roles', 'org_roles', 'is_active', 'date_expired'],
    },
    { key: 'other', title: 'groupOther', fields: ['phone', 'wechat', 'comment'] },
  ],
  fields: {
    name: { layout: { half: true } },
    username: { layout: { half: true, mono: true } },
    email: { layout: { half: true } },
    groups: { layout: { half: true }, source: { url: '/api/v1/users/groups/' }, state: { disabled: () => inRoot() } },
    source: { layout: { half: true } },
    mfa_level: { layout: { half: true } },
    password_strategy: { state: { hidden: (values, { id }) => Boolean(id) || !local(values) } },
    update_password: {
      label: 'updatePassword',
      widget: 'checkbox',
      sending: { local: true },
      state: { hidden: (values, { id }) => !id || !local(values) || values.update_password === true },
    },
    password: {
      widget: 'secret',
      get with() {
        return { rules: passwordRules() }
      },
      validation: {
        required: (values) =>
          local(values) && (values.password_strategy === 'custom' || values.update_password === true),
        check: (value, values) =>
          typeof value === 'string' ? brokenRule(value, passwordRules(values.is_org_admin === true)) : undefined,
      },
      state: { hidden: (values, { id }) => !local(values) || !custom(values, id) },
    },
    need_update_password: {
      widget: 'checkbox',
      state: {
        hidden: (values, { id }) => !local(values) || !(custom(values, id) || values.can_public_key_auth === true),
      },
    },
    set_public_key: {
      label: 'setPublicKey',
      widget: 'checkbox',
      sending: { local: true },
      state: { hidden: (values, { id }) => !id || values.set_public_key === true },
    },
    public_key: { widget: 'file-text', state: { hidden: (values) => values.set_public_key !== true } },
    system_roles: {
      layout: { half: true },
      source: { url: '/api/v1/rbac/system-roles/', label: (row) => String(row.display_name ?? row.name) },
      state: { hidden: () => !can('rbac.add_systemrolebinding') },
    },
    org_roles: {
      layout: { half: true },
      source: { url: '/api/v1/rbac/org-roles/', label: (row) => String(row.display_name ?? row.name) },
      validation: { required: () => !inRoot() },
      state: { hidden: () => !licensed() || !can('rbac.add_orgrolebinding') || inRoot() },
    },
    is_active: { layout: { half: true } },
    date_expired: { layout: { half: true } },
    phone: { widget: 'phone', layout: { half: true } },
    wechat: { layout: { half: true } },
  },
  submit: {
    clean: (body, values, { id, cloneFrom }) => {
      const out = { ...body }
      if (!id && values.password_strategy !== 'custom') {
        delete out.password
        if (inRoot()) delete out.groups
      }
      if (id && !values.update_password) delete out.password
      if (id && !values.set_public_key) delete out.public_key
      if (!local(values)) delete out.need_update_password
      if (cloneFrom) out.groups = []
      if (inRoot() || !licensed()) delete out.org_roles
      return out
    },
  },
}
