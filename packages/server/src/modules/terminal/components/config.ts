import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { SettingName } from '@castellan/contract/settings'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { defineRoute } from '../../../kernel/route.ts'
import type { Sealed } from '../../../kernel/secrets.ts'
import type { SettingDeclaration } from '../../../kernel/settings.ts'
import { nameOf } from '../../../kernel/texts.ts'
import { storageConfig } from '../storage/storage.ts'
import { component, componentOf } from './component.ts'

/** Settings sent to components unchanged. */
const passedOn = [
  'TERMINAL_PASSWORD_AUTH',
  'TERMINAL_PUBLIC_KEY_AUTH',
  'TERMINAL_HEARTBEAT_INTERVAL',
  'TERMINAL_ASSET_LIST_SORT_BY',
  'TERMINAL_ASSET_LIST_PAGE_SIZE',
  'TERMINAL_SESSION_KEEP_DURATION',
  'TERMINAL_MAGNUS_ENABLED',
  'TERMINAL_KOKO_SSH_ENABLED',
  'TERMINAL_RAZOR_ENABLED',
  'TERMINAL_OMNIDB_ENABLED',
  'SECURITY_MAX_IDLE_TIME',
  'SECURITY_MAX_SESSION_TIME',
  'SECURITY_SESSION_SHARE',
  'FTP_FILE_MAX_STORE',
] as const satisfies readonly SettingName[]

/** The SSH host key of the components: one for the installation, so that clients pin a single key. */
export const hostKeySetting: SettingDeclaration = { name: 'TERMINAL_HOST_KEY', default: '', secret: true }

const makeKeyPair = promisify(generateKeyPair)

/** Generates the host key at the first start. */
export async function seedHostKey(ctx: Context): Promise<void> {
  const { settings, events } = ctx.services
  if (settings.isSet(hostKeySetting.name)) return
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 3072 })
  // Every SSH library of the components can read PKCS#1.
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  await settings.store(ctx.unscoped, events, { [hostKeySetting.name]: pem })
}

export const configRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/terminal/terminals/config/',
  requires: 'terminal.view_terminalconfig',
  summary: 'The configuration of the calling component',
  async handle({ ctx }) {
    const row = await componentOf(ctx)
    if (!row) throw notFound(nameOf(component))
    const { settings, vault } = ctx.services
    return {
      ...Object.fromEntries(passedOn.map((name) => [name, settings.get(name)])),
      TERMINAL_HOST_KEY: vault.open(settings.get<Sealed>(hostKeySetting.name)),
      TERMINAL_HEADER_TITLE: settings.isDeclared('INTERFACE_LOGIN_TITLE') ? settings.text('INTERFACE_LOGIN_TITLE') : '',
      TERMINAL_RDP_ADDR: '',
      TERMINAL_COMMAND_STORAGE: await storageConfig(ctx, 'command', row.command_storage),
      TERMINAL_REPLAY_STORAGE: await storageConfig(ctx, 'replay', row.replay_storage),
    }
  },
})
