import { SettingsPage } from './SettingsPage.tsx'
import { TaskList } from './task-list.tsx'

/** Background tasks, and how long the system keeps logs. */
export default function Tasks() {
  return (
    <SettingsPage
      tabs={[
        { key: 'TaskList', title: 'settingsTasks', permission: 'ops.view_celerytask', render: () => <TaskList /> },
        {
          key: 'Clean',
          title: 'settingCleaning',
          permission: 'settings.change_clean',
          form: {
            category: 'clean',
            groups: [
              {
                key: 'logs',
                title: 'settingLogs',
                fields: [
                  'LOGIN_LOG_KEEP_DAYS',
                  'TASK_LOG_KEEP_DAYS',
                  'OPERATE_LOG_KEEP_DAYS',
                  'FTP_LOG_KEEP_DAYS',
                  'TERMINAL_SESSION_KEEP_DURATION',
                  'ACTIVITY_LOG_KEEP_DAYS',
                ],
              },
              {
                key: 'executions',
                title: 'executions',
                fields: ['JOB_EXECUTION_KEEP_DAYS', 'CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS'],
              },
            ],
          },
        },
      ]}
    />
  )
}
