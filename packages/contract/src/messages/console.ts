/** Every text of the console; the build splits it per language. */

import { consoleAccountsMessages } from './console-accounts.ts'
import { consoleAppletMessages } from './console-applets.ts'
import { consoleAssetsMessages } from './console-assets.ts'
import { consoleAuditMessages } from './console-audit.ts'
import { consoleAutomationMessages } from './console-automations.ts'
import { consoleCloudMessages } from './console-cloud.ts'
import { consoleComponentsMessages } from './console-components.ts'
import { consoleEffectMessages } from './console-effect.ts'
import { consoleFormMessages } from './console-form.ts'
import { consoleHelpMessages } from './console-helps.ts'
import { consoleJobMessages } from './console-jobs.ts'
import { consoleKitMessages } from './console-kit.ts'
import { consolePermsMessages } from './console-perms.ts'
import { consoleRbacMessages } from './console-rbac.ts'
import { consoleSettingPageMessages } from './console-setting-pages.ts'
import { consoleSettingsMessages } from './console-settings.ts'
import { consoleShellMessages } from './console-shell.ts'
import { consoleStartMessages } from './console-start.ts'
import { consoleTicketsMessages } from './console-tickets.ts'
import { consoleUsersMessages } from './console-users.ts'

export const consoleMessages = {
  ...consoleStartMessages,
  ...consoleShellMessages,
  ...consoleKitMessages,
  ...consoleFormMessages,
  ...consoleUsersMessages,
  ...consoleRbacMessages,
  ...consoleAssetsMessages,
  ...consoleAppletMessages,
  ...consoleCloudMessages,
  ...consoleAccountsMessages,
  ...consolePermsMessages,
  ...consoleTicketsMessages,
  ...consoleEffectMessages,
  ...consoleAuditMessages,
  ...consoleSettingsMessages,
  ...consoleSettingPageMessages,
  ...consoleComponentsMessages,
  ...consoleAutomationMessages,
  ...consoleJobMessages,
  ...consoleHelpMessages,
}
