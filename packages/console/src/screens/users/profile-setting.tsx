import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { call } from '../../kit/api/client.ts'
import { attempt } from '../../kit/api/errors.ts'
import { metadataOf } from '../../kit/api/metadata.ts'
import { profilePath } from '../../kit/api/opening.ts'
import { Activity, mayReadActivity } from '../../kit/detail/Activity.tsx'
import { Facts } from '../../kit/detail/Facts.tsx'
import { FormPanel } from '../../kit/form/FormPanel.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { brokenRule, passwordRules } from '../../kit/form/widgets/Secret.tsx'
import { PageHead, type Tab, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import type { Row } from '../../kit/row.ts'
import { patchProfile, session, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'

const profileForm: FormSpec = {
  url: profilePath,
  single: true,
  submit: { method: 'PATCH' },
  noun: 'profile',
  groups: [
    { key: 'account', title: 'groupAccount', help: 'ownFactsHelp', fields: ['username', 'name', 'email'] },
    { key: 'other', title: 'groupOther', fields: ['phone', 'wechat'] },
  ],
  fields: {
    username: { layout: { half: true }, state: { disabled: true }, sending: { local: true }, texts: { help: false } },
    name: { layout: { half: true }, state: { disabled: true }, sending: { local: true } },
    email: { layout: { half: true }, state: { disabled: true }, sending: { local: true }, texts: { help: false } },
    phone: { widget: 'phone', layout: { half: true } },
    wechat: { layout: { half: true } },
  },
}

const rules = () => passwordRules(session().profile.is_org_admin === true)
const passwordForm: FormSpec = {
  url: '/api/v1/users/profile/password/',
  single: true,
  submit: { method: 'PUT', verb: 'passwordChange' },
  noun: 'password',
  groups: [
    {
      key: 'password',
      title: 'password',
      help: 'passwordChangeHelp',
      fields: ['old_password', 'new_password', 'new_password_again'],
    },
  ],
  fields: {
    old_password: { widget: 'password', sending: { secret: true }, validation: { required: true } },
    new_password: {
      widget: 'secret',
      sending: { secret: true },
      validation: {
        required: true,
        check: (value) => (typeof value === 'string' ? brokenRule(value, rules()) : undefined),
      },
      get with() {
        return { rules: rules() }
      },
    },
    new_password_again: {
      widget: 'password',
      sending: { secret: true },
      validation: {
        required: true,
        check: (value, values) => (value === values.new_password ? undefined : t('passwordsDiffer')),
      },
    },
  },
}

const keyForm: FormSpec = {
  url: '/api/v1/users/profile/public-key/',
  single: true,
  submit: { method: 'PUT' },
  noun: 'sshKey',
  groups: [{ key: 'new', title: 'sshKeyNew', help: 'sshKeyNewHelp', fields: ['public_key'] }],
  fields: {
    public_key: {
      widget: 'file-text',
      validation: { required: true },
      texts: { placeholder: 'ssh-ed25519 AAAA… / ssh-rsa AAAA…' },
    },
  },
}

/** The current key above the form to replace it. */
function SshKey() {
  const { profile } = useSession()
  const metadata = useQuery(metadataOf(profilePath))
  if (metadata.isPending) return <Skeleton active title={false} />
  return (
    <>
      <div className="section-head">
        <h2>{t('sshKeyOld')}</h2>
      </div>
      <Facts
        row={profile}
        fields={metadata.data?.actions?.GET ?? {}}
        facts={['public_key_comment', { name: 'public_key_hash_md5', mono: true }]}
      />
      <FormPanel spec={keyForm} onSaved={() => void attempt(() => call<Row>(profilePath).then(patchProfile))} />
    </>
  )
}

/** Profile, password and SSH key of the signed-in user. */
export default function ProfileSetting() {
  const screen = useScreen()
  const { profile } = useSession()
  const tabs: Tab[] = [
    {
      key: 'ProfileUpdate',
      title: 'profile',
      render: () => <FormPanel spec={profileForm} onSaved={(saved) => patchProfile(saved)} />,
    },
    {
      key: 'PasswordUpdate',
      title: 'password',
      visible: profile.source?.value === 'local',
      render: () => (
        <FormPanel
          spec={passwordForm}
          // Changing the password ends all sessions of the user, including this one.
          onSaved={() => setTimeout(() => location.reload(), 800)}
        />
      ),
    },
    {
      key: 'SSHUpdate',
      title: 'sshKey',
      visible: profile.can_public_key_auth === true,
      render: () => <SshKey />,
    },
    { key: 'Activity', title: 'activity', visible: mayReadActivity(), render: () => <Activity id={profile.id} /> },
  ]
  const { visible, active, open } = useTabs(tabs)
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}
