import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../kit/api/client.ts'
import { metadataOf } from '../../kit/api/metadata.ts'
import { profilePath } from '../../kit/api/opening.ts'
import { Avatar } from '../../kit/cells.tsx'
import { Facts } from '../../kit/detail/Facts.tsx'
import { QuickActions } from '../../kit/detail/QuickActions.tsx'
import { PageHead } from '../../kit/page.tsx'
import { wordsOf } from '../../kit/row.ts'
import { patchProfile, useSession } from '../../kit/session.ts'
import { t } from '../../kit/text.ts'
import { toast } from '../../kit/toast.ts'

const chats = { wecom: 'WeCom', dingtalk: 'DingTalk', feishu: 'FeiShu' } as const
type Chat = keyof typeof chats
const chatNames = Object.keys(chats) as Chat[]

/** Own account and sign-in settings. */
export default function ProfileInfo() {
  const { profile, settings } = useSession()
  const metadata = useQuery(metadataOf(profilePath))
  const local = profile.source?.value === 'local'
  const backends = new Set(profile.receive_backends ?? [])
  const subscribe = async (name: string) => {
    const next = new Set(backends)
    if (next.has(name)) next.delete(name)
    else next.add(name)
    const receive_backends = [...next]
    await call(`/api/v1/notifications/user-msg-subscription/${profile.id}/`, {
      method: 'PATCH',
      body: { receive_backends },
    })
    patchProfile({ receive_backends })
    toast.ok(t('saved'))
  }
  /** Binds or unbinds an account, after a recent confirmation. */
  const bind = async (service: Chat) => {
    if (!profile[`${service}_id`]) {
      await call('/api/v1/authentication/confirm-oauth/')
      location.assign(`/core/auth/${service}/qr/bind/`)
      return
    }
    await call(`/api/v1/authentication/${service}/qr/unbind/`, { method: 'POST', body: {} })
    patchProfile({ [`${service}_id`]: null })
    toast.ok(t('unbound'))
  }
  const go = (hash: string) => {
    location.hash = hash
  }
  return (
    <div className="page">
      <PageHead icon={<Avatar name={profile.name} />} title={profile.name} />
      <Facts
        row={profile}
        fields={metadata.data?.actions?.GET ?? {}}
        facts={[
          { name: 'username', mono: true },
          'name',
          'email',
          {
            name: 'system_roles',
            label: 'systemRoles',
            render: () => wordsOf(profile.system_roles).join(' ｜ ') || '–',
          },
          { name: 'org_roles', label: 'orgRoles', render: () => wordsOf(profile.org_roles).join(' ｜ ') || '–' },
          'groups',
          'mfa_level',
          'source',
          {
            name: 'public_key_comment',
            label: 'sshKey',
            render: () => String(profile.public_key_comment || profile.public_key_hash_md5 || '–'),
          },
          'date_joined',
          'last_login',
          'date_password_last_updated',
          'date_expired',
          'comment',
        ]}
      />
      <div className="columns-2">
        <QuickActions
          actions={[
            {
              key: 'mfa',
              title: t('mfa'),
              help: t('mfaHelp'),
              verb: t('setUp'),
              run: () => location.assign('/core/auth/profile/mfa/'),
            },
            {
              key: 'password',
              title: t('password'),
              help: t('passwordHelp'),
              verb: t('change'),
              disabled: !local && t('notLocal'),
              run: () => go(`${pathOf('ProfileSetting')}?activeTab=PasswordUpdate`),
            },
            {
              key: 'ssh',
              title: t('sshKey'),
              help: t('sshKeyHelp'),
              verb: t('change'),
              disabled: !profile.can_public_key_auth && t('keyNotAllowed'),
              run: () => go(`${pathOf('ProfileSetting')}?activeTab=SSHUpdate`),
            },
            {
              key: 'generate',
              title: t('sshKeyGenerate'),
              help: t('sshKeyGenerateHelp'),
              verb: t('download'),
              disabled: !profile.can_public_key_auth && t('keyNotAllowed'),
              run: () => window.open('/core/auth/profile/pubkey/generate/', '_blank'),
            },
            ...chatNames.map((service) => ({
              key: `bind-${service}`,
              title: chats[service],
              help: t(profile[`${service}_id`] ? 'chatBound' : 'chatBindHelp', {
                service: chats[service],
                id: String(profile[`${service}_id`] ?? ''),
              }),
              visible: settings[`AUTH_${service.toUpperCase()}`] === true,
              verb: t(profile[`${service}_id`] ? 'unbind' : 'bind'),
              run: () => bind(service),
            })),
          ]}
        />
        <section>
          <QuickActions
            title="subscriptions"
            actions={[
              { key: 'site', title: t('bySite'), on: true, disabled: t('bySiteAlways'), run: () => {} },
              { key: 'email', title: t('byEmail'), on: backends.has('email'), run: () => subscribe('email') },
              ...chatNames.map((service) => ({
                key: service,
                title: chats[service],
                visible: settings[`AUTH_${service.toUpperCase()}`] === true,
                on: backends.has(service),
                disabled: !profile[`${service}_id`] && t('chatNotBound'),
                run: () => subscribe(service),
              })),
            ]}
          />
        </section>
      </div>
    </div>
  )
}
