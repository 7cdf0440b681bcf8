import { SettingsPage } from './SettingsPage.tsx'
import { vault } from './vault.tsx'

export default function Features() {
  return (
    <SettingsPage
      tabs={[
        {
          key: 'Announcement',
          title: 'settingAnnouncement',
          permission: 'settings.change_announcement',
          form: {
            category: 'announcement',
            groups: [
              { key: 'announcement', title: 'settingAnnouncement', fields: ['ANNOUNCEMENT_ENABLED', 'ANNOUNCEMENT'] },
            ],
            fields: {
              'ANNOUNCEMENT.ID': { state: { hidden: () => true }, sending: { local: true } },
              'ANNOUNCEMENT.CONTENT': { widget: 'markdown' },
            },
          },
        },
        {
          key: 'Ticket',
          title: 'viewTickets',
          permission: 'settings.change_ticket',
          license: true,
          form: {
            category: 'ticket',
            groups: [
              {
                key: 'ticket',
                title: 'viewTickets',
                fields: ['TICKETS_ENABLED', 'TICKET_AUTHORIZE_DEFAULT_TIME', 'TICKET_AUTHORIZE_DEFAULT_TIME_UNIT'],
              },
            ],
          },
        },
        {
          key: 'Ops',
          title: 'settingJobs',
          permission: 'settings.change_ops',
          form: {
            category: 'ops',
            groups: [
              {
                key: 'jobs',
                title: 'settingJobs',
                fields: ['SECURITY_COMMAND_EXECUTION', 'SECURITY_COMMAND_BLACKLIST'],
              },
            ],
          },
        },
        { key: 'Vault', title: 'settingVault', permission: 'settings.change_vault', license: true, form: vault },
      ]}
    />
  )
}
