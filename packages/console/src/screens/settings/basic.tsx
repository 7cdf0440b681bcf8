import { SettingsPage } from './SettingsPage.tsx'

export default function Basic() {
  return (
    <SettingsPage
      tabs={[
        {
          key: 'Basic',
          title: 'groupBasic',
          form: {
            category: 'basic',
            changedBy: 'settings.change_basic',
            groups: [
              { key: 'basic', title: 'groupBasic', fields: ['SITE_URL'] },
              { key: 'help', title: 'settingHelpLinks', fields: ['HELP_DOCUMENT_URL', 'HELP_SUPPORT_URL'] },
            ],
          },
        },
      ]}
    />
  )
}
