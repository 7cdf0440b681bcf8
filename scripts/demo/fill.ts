import { type Client, signIn } from '../../packages/testing/src/client.ts'
import { startProduct } from '../../packages/testing/src/product.ts'
import { foundCompany } from './company.ts'
import { completeProfiles, fill, hostName, type Target } from './content.ts'
import { hostWork } from './host-work.ts'
import { type Going, liveAMonth } from './month.ts'
import { surround } from './surroundings.ts'
import { sharedClock } from './time-travel.ts'

const day = 86_400_000

/** Where the demo is filled, and with what. */
export interface DemoPlan {
  dataDir: string
  adminPassword: string
  httpPort: number
  sshPort: number
  /** The real host. */
  target: Target
  /** Of everybody except the administrator. */
  password: string
  /** Days of history. */
  days?: number
  progress?: (text: string) => void
}

/**
 * Fills a data folder: the product runs in it with a clock that starts in the past and is led to today, is used as a
 * company uses it, and ends. Everything is created through the API and the gateway.
 */
export async function fillDemo(plan: DemoPlan): Promise<void> {
  const { target, password, adminPassword, days = 30, progress, ...place } = plan
  const today = new Date().setUTCHours(0, 0, 0, 0)
  using clock = await sharedClock()
  await clock.moveTo(today - (days + 1) * day + 8 * 3_600_000)
  await using product = await startProduct({
    ...place,
    adminPassword,
    env: {
      ...clock.env,
      // Sign-ins come from the addresses of their people.
      CASTELLAN_TRUSTED_PROXIES: '127.0.0.1',
      CONNECTION_TOKEN_REUSABLE: 'true',
      // Nobody is there yet who could confirm.
      SECURITY_VIEW_AUTH_NEED_MFA: 'false',
    },
  })
  let signedIn: { client: Client; at: number } | undefined
  const admin = async () => {
    // A session ends after a day.
    if (!signedIn || Date.now() - signedIn.at > day / 4)
      signedIn = { client: await signIn(product.url, 'admin', adminPassword), at: Date.now() }
    return signedIn.client
  }
  const client = await admin()
  progress?.('Creating people, assets, permissions and rules …')
  await client.request('PATCH', '/api/v1/settings/setting/?category=basic', { SITE_URL: product.url })
  await fill(client, target, password)
  const workplaces = await foundCompany(client, password)
  await completeProfiles(client, product.url, password)
  const [host] = await client.collection('assets/hosts').all({ name: hostName })
  const login = `olivia@${target.username}@${hostName}`
  const also = await hostWork(product, admin, {
    ...{ login, username: 'olivia', password, host: host?.id ?? '', account: target.username },
    admin: { login: `admin@${target.username}@${hostName}`, password: adminPassword },
  })
  const around = await surround({
    ...{ url: product.url, admin, adminPassword, password, host: host?.id ?? '', account: target.username },
  })
  const daily = async (ago: number, going: Going) => {
    await also(ago)
    await around(ago, going)
  }
  progress?.(`Living through ${days} days …`)
  await liveAMonth({ product, admin, password, clock, workplaces, also: daily, days, today })
}
