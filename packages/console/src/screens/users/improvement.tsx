import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import { type Choice, patchProfile } from '../../kit/session.ts'

/** MFA is not asked for if already enforced. Uses the loaded value: choosing it here must not hide the field. */
const forced = ({ loaded }: FormContext): boolean => (loaded?.mfa_level as Choice | undefined)?.value === 2

const form: FormSpec = {
  url: '/api/v1/users/profile/',
  single: true,
  method: 'PATCH',
  noun: 'profile',
  verb: 'improvementVerb',
  groups: [
    { key: 'account', title: 'groupAccount', help: 'improvementHelp', fields: ['username', 'name', 'email'] },
    { key: 'auth', title: 'groupAuthentication', fields: ['mfa_level', 'public_key'] },
    { key: 'other', title: 'groupOther', fields: ['phone', 'wechat', 'terms'] },
  ],
  fields: {
    username: { half: true, disabled: true, local: true, help: false },
    name: { half: true, disabled: true, local: true },
    email: { half: true, disabled: true, local: true, help: false },
    mfa_level: { help: 'mfaOwnHelp', hidden: (_values, context) => forced(context) },
    public_key: {
      widget: 'file-text',
      hidden: (values) =>
        (values.source as { value?: string } | undefined)?.value !== 'local' && values.source !== 'local',
    },
    phone: { widget: 'phone', half: true },
    wechat: { half: true },
    terms: {
      label: 'terms',
      widget: 'checkbox',
      local: true,
      rules: ['agreed'],
    },
  },
  clean: (body, _values, context) => {
    const out: Record<string, unknown> = { ...body, is_first_login: false }
    if (forced(context)) delete out.mfa_level
    if (!out.public_key) delete out.public_key
    return out
  },
  onSaved: (saved) => patchProfile({ ...saved, is_first_login: false }),
  // The originally requested page.
  after: (_saved, { query }) => query.get('next')?.replace(/^[\\/]*/, '/') ?? '/',
}

/** Profile completion at the first sign-in. */
export default function Improvement() {
  return <FormPage spec={form} />
}
