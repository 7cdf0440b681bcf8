import { Button, Dropdown, type MenuProps } from 'antd'
import { CircleUserRound } from 'lucide-react'
import { languageChoices, saveLanguage } from '../browser/languages.ts'
import { session, setSession } from '../kit/session.ts'
import { language } from '../kit/text.ts'
import { chooseMode, chosenMode } from '../kit/theme.tsx'
import { chooseOrganization } from './start.ts'
import { t } from './text.ts'

/** Organization, language, theme, and sign out. */
export function AccountMenu() {
  const { profile, organization, settings } = session()
  const others = profile.workbench_orgs
  const items: MenuProps['items'] = [
    { key: 'who', label: `${profile.name} (${profile.username})`, disabled: true },
    ...(others.length > 1
      ? [
          {
            key: 'orgs',
            label: t('organization', { name: organization.name }),
            children: others.map((one) => ({
              key: one.id,
              label: one.name,
              onClick: () => {
                setSession({ ...session(), organization: one })
                chooseOrganization(one.id)
              },
            })),
          },
        ]
      : []),
    {
      key: 'language',
      label: t('language'),
      children: languageChoices.map((one) => ({
        key: one.cookie,
        label: one.label,
        disabled: one.language === language,
        onClick: () => {
          saveLanguage(one)
          location.reload()
        },
      })),
    },
    {
      key: 'mode',
      label: t('appearance'),
      children: (['system', 'light', 'dark'] as const).map((mode) => ({
        key: mode,
        label: t(mode),
        disabled: mode === chosenMode(),
        onClick: () => chooseMode(mode),
      })),
    },
    { type: 'divider' },
    { key: 'console', label: <a href="/ui/">{t('toConsole')}</a> },
    ...(settings.HELP_DOCUMENT_URL
      ? [
          {
            key: 'help',
            label: (
              <a href={settings.HELP_DOCUMENT_URL} target="_blank" rel="noreferrer">
                {t('help')}
              </a>
            ),
          },
        ]
      : []),
    { key: 'out', label: <a href="/core/auth/logout/">{t('signOut')}</a> },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button
        type="text"
        size="small"
        icon={<CircleUserRound size={16} />}
        aria-label={profile.name}
        title={profile.name}
      />
    </Dropdown>
  )
}
