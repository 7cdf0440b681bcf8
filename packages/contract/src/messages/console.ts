/** Every text of the console; the build splits it per language. */
import { consoleAccessMessages } from './console-access.ts'
import { consoleAuditMessages } from './console-audit.ts'
import { consoleEffectMessages } from './console-effect.ts'
import { consoleFormMessages } from './console-form.ts'
import { consoleKitMessages } from './console-kit.ts'
import { consoleSettingsMessages } from './console-settings.ts'
import { consoleShellMessages } from './console-shell.ts'
import { consoleStartMessages } from './console-start.ts'

export const consoleMessages = {
  ...consoleStartMessages,
  ...consoleShellMessages,
  ...consoleKitMessages,
  ...consoleFormMessages,
  ...consoleAccessMessages,
  ...consoleEffectMessages,
  ...consoleAuditMessages,
  ...consoleSettingsMessages,
}
