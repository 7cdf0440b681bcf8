import type { Context } from '../../kernel/module/context.ts'
import { basic } from './groups.ts'

const untouched = 'http://127.0.0.1'

/**
 * The start of every link that we send, without a slash at its end. Until an administrator has set the address of the
 * site, it is the one at which this machine serves, so that the links of a first trial open.
 */
export function siteUrl(ctx: Context): string {
  const site = basic.of(ctx).SITE_URL.replace(/\/+$/, '')
  if (site !== untouched) return site
  const { httpPort, tls } = ctx.services.config
  const scheme = tls ? 'https' : 'http'
  const port = httpPort === 0 || httpPort === (tls ? 443 : 80) ? '' : `:${httpPort}`
  return `${scheme}://127.0.0.1${port}`
}
