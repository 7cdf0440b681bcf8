import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { secret } from '../../../kernel/fields/index.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { notFound } from '../../../kernel/module/errors.ts'
import { nameOf } from '../../../kernel/module/texts.ts'
import { defineSettings, type Setting } from '../../../kernel/settings/setting-groups.ts'
import { componentOptions, components, sessionRetention, sessionRules } from '../settings.ts'
import { storageConfig } from '../storage/storage-config.ts'
import { component, componentOf } from './component.ts'

/** Settings that components read as they are. */
const passedOn: readonly Setting[] = [
  components.settings.TERMINAL_PASSWORD_AUTH,
  components.settings.TERMINAL_PUBLIC_KEY_AUTH,
  componentOptions.settings.TERMINAL_HEARTBEAT_INTERVAL,
  components.settings.TERMINAL_ASSET_LIST_SORT_BY,
  components.settings.TERMINAL_ASSET_LIST_PAGE_SIZE,
  sessionRetention.settings.TERMINAL_SESSION_KEEP_DURATION,
  components.settings.TERMINAL_MAGNUS_ENABLED,
  components.settings.TERMINAL_KOKO_SSH_ENABLED,
  components.settings.TERMINAL_RAZOR_ENABLED,
  componentOptions.settings.TERMINAL_OMNIDB_ENABLED,
  sessionRules.settings.SECURITY_MAX_IDLE_TIME,
  sessionRules.settings.SECURITY_MAX_SESSION_TIME,
  sessionRules.settings.SECURITY_SESSION_SHARE,
  componentOptions.settings.FTP_FILE_MAX_STORE,
]

/** The key that components prove their SSH front end with: one for the installation, so that clients pin one. */
export const hostKey = defineSettings({ changedBy: 'product', fields: { TERMINAL_HOST_KEY: secret() } })

const makeKeyPair = promisify(generateKeyPair)

/** Generates the host key at the first start. */
export async function seedHostKey(ctx: Context): Promise<void> {
  if (hostKey.settings.TERMINAL_HOST_KEY.isStored(ctx)) return
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
  // Every SSH library of the components can read PKCS#1.
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  await hostKey.store(ctx, { TERMINAL_HOST_KEY: pem })
}

/** The private half of the host key. */
export function hostKeyOf(ctx: Context): string {
  const sealed = hostKey.of(ctx).TERMINAL_HOST_KEY
  if (!sealed) throw new Error('The host key is made at the first start.')
  return ctx.services.vault.open(sealed)
}

export const configRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/terminal/terminals/config/',
  requires: 'terminal.view_terminalconfig',
  summary: 'The configuration of the calling component',
  async handle({ ctx }) {
    const row = await componentOf(ctx)
    if (!row) throw notFound(nameOf(component))
    return {
      ...Object.fromEntries(passedOn.map((setting) => [setting.name, setting.of(ctx)])),
      TERMINAL_HOST_KEY: hostKeyOf(ctx),
      TERMINAL_HEADER_TITLE: '',
      TERMINAL_RDP_ADDR: '',
      TERMINAL_COMMAND_STORAGE: await storageConfig(ctx, 'command', row.command_storage),
      TERMINAL_REPLAY_STORAGE: await storageConfig(ctx, 'replay', row.replay_storage),
    }
  },
})
