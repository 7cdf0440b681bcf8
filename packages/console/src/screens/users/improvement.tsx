import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FormContext, FormSpec } from '../../kit/form/spec.ts'
import { type Choice, patchProfile } from '../../kit/session.ts'

/** MFA is not asked for if already enforced. Uses the loaded value: choosing it here must not hide the field. */
const forced = ({ loaded }: FormContext): boolean => (loaded?.mfa_level as Choice | undefined)?.value === 2

const form: FormSpec = {
  url: '/api/v1/users/profile/',
  single: true,
  submit: {
    method: 'PATCH',
    verb: 'improvementVerb',
    clean: (body, _values, context) => {
      const out: Record<string, unknown> = { ...body, is_first_login: false }
      if (forced(context)) delete out.mfa_level
      if (!out.public_key) delete out.public_key
      return out
    },
  },
  noun: 'profile',
  groups: [
    { key: 'account', title: 'groupAccount', help: 'improvementHelp', fields: ['username', 'name', 'email'] },
    { key: 'auth', title: 'groupAuthentication', fields: ['mfa_level', 'public_key'] },
    { key: 'other', title: 'groupOther', fields: ['phone', 'wechat', 'terms'] },
  ],
  fields: {
    username: { layout: { half: true }, state: { disabled: true }, sending: { local: true }, texts: { help: false } },
    name: { layout: { half: true }, state: { disabled: true }, sending: { local: true } },
    email: { layout: { half: true }, state: { disabled: true }, sending: { local: true }, texts: { help: false } },
    mfa_level: { texts: { help: 'mfaOwnHelp' }, state: { hidden: (_values, context) => forced(context) } },
    public_key: {
      widget: 'file-text',
      state: {
        hidden: (values) =>
          (values.source as { value?: string } | undefined)?.value !== 'local' && values.source !== 'local',
      },
    },
    phone: { widget: 'phone', layout: { half: true } },
    wechat: { layout: { half: true } },
    terms: {
      label: 'terms',
      widget: 'checkbox',
      sending: { local: true },
      validation: { rules: ['agreed'] },
    },
  },
  saved: {
    run: (saved) => patchProfile({ ...saved, is_first_login: false }),
    // The originally requested page.
    to: (_saved, { query }) => query.get('next')?.replace(/^[\\/]*/, '/') ?? '/',
  },
}

/** Profile completion at the first sign-in. */
export default function Improvement() {
  return <FormPage spec={form} />
}
