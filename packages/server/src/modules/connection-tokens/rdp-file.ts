import { withoutControls } from '@castellan/contract/messages'
import { booleanOf } from '../../kernel/fields/index.ts'
import { type Params, Reply } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findById } from '../../kernel/resource/repository.ts'
import { asset as assetResource } from '../assets/index.ts'
import { actionsWire } from '../perms/index.ts'
import { endpointFor } from '../terminal/index.ts'
import { standingOf } from './lifetime.ts'
import type { TokenRow } from './token.ts'

/** Pixels of a screen that a client may ask for. */
const largestScreen = 16_384

/** Actions without which drives are not shared: files move in both directions, and can be deleted. */
const driveActions = ['upload', 'download', 'delete'] as const

const constants = {
  'disable wallpaper:i': 0,
  'disable full window drag:i': 0,
  'disable menu anims:i': 0,
  'disable themes:i': 0,
  'alternate shell:s': '',
  'shell working directory:s': '',
  'authentication level:i': 2,
  'connect to console:i': 0,
  'disable cursor setting:i': 0,
  'allow font smoothing:i': 1,
  'allow desktop composition:i': 1,
  'redirectprinters:i': 0,
  'prompt for credentials on client:i': 0,
  'autoreconnection enabled:i': 1,
  'bookmarktype:i': 3,
  'use redirection server name:i': 0,
}

/** A number of pixels; undefined for anything that is none. */
function pixels(sent: string | undefined): number | undefined {
  const value = Number(sent)
  return Number.isInteger(value) && value > 0 && value <= largestScreen ? value : undefined
}

/**
 * The file with which a remote desktop client opens the connection of a token. It names the token and holds no secret:
 * the token is checked again when the client connects.
 */
export async function rdpFile(ctx: Context, token: TokenRow, query: Params, origin: string): Promise<Reply> {
  const {
    user,
    use: { account },
  } = await standingOf(ctx, token)
  const asset = await findById(ctx.acrossOrgs(), assetResource, token.asset_id)
  const target = { assetId: String(token.asset_id), address: String(asset?.address ?? '') }
  const { host, port } = await endpointFor(ctx.acrossOrgs(), 'rdp', target, origin)
  const granted = new Set(actionsWire(ctx, account.actions).map(({ value }) => value))
  const isOn = (name: string) => booleanOf(query[name] ?? '') === true
  const [width, height] = [pixels(query.width), pixels(query.height)]
  const lines: Record<string, string | number> = {
    'full address:s': `${host}:${port}`,
    'username:s': `${user.username}|${token.id}`,
    'use multimon:i': isOn('multi_mon') ? 1 : 0,
    'drivestoredirect:s': isOn('drives_redirect') && driveActions.every((action) => granted.has(action)) ? '*' : '',
    'screen mode id:i': isOn('full_screen') ? 2 : 1,
    ...(width && height
      ? {
          'desktopwidth:i': width,
          'desktopheight:i': height,
          'winposstr:s': `0,1,0,0,${width},${height}`,
          'dynamic resolution:i': 0,
        }
      : {}),
    'smart sizing:i': isOn('rdp_smart_size') ? 1 : 0,
    'session bpp:i': 32,
    'audiomode:i': 0,
    'administrative session:i': 0,
    ...constants,
  }
  // Each value is one line: a name with a line break must not add settings of its own.
  const content = Object.entries(lines).map(([key, value]) => `${key}:${withoutControls(String(value))}`)
  const name = withoutControls(`${user.username}-${asset?.name ?? ''}-jumpserver`).replace(/[\\/:*?"<>|]/g, '_')
  return new Reply(200, Buffer.from(`${content.join('\n')}\n`), {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.rdp`)}`,
  })
}
