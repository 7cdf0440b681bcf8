// Starts the product in a temporary folder with one real host, lets it live through a month, and prints the users.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { howToGet, partPath } from '../../packages/testing/src/detect.ts'
import { startProduct } from '../../packages/testing/src/product.ts'
import { startSshd } from '../../packages/testing/src/sshd.ts'
import { run, Stop } from '../stop.mjs'
import { readConfig } from '../supervisor/config.mjs'
import { hostName, people } from './content.ts'
import { fillDemo } from './fill.ts'

await run(async () => {
  const missing = (['sshd', 'sftp-server'] as const).filter((part) => !partPath(part))
  if (missing.length > 0) {
    throw new Stop(
      `The demo connects to a real host, which is OpenSSH's own server on this machine, and ${missing.join(' and ')} is not installed.`,
      `Install it (nothing of it needs to run): ${missing.map(howToGet).join('; ')}`,
    )
  }
  const { httpPort, sshPort } = readConfig(process.env)
  const target = await startSshd()
  const dataDir = mkdtempSync(join(tmpdir(), 'castellan-demo-'))
  let ending = false
  let product: Awaited<ReturnType<typeof startProduct>> | undefined
  const close = async () => {
    await product?.stop()
    await target.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const end = async () => {
    if (ending) return
    ending = true
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)

  try {
    const password = `Demo-${randomBytes(6).toString('base64url')}`
    const adminPassword = `Adm1n-${randomBytes(9).toString('base64url')}`
    const place = { dataDir, adminPassword, httpPort, sshPort }
    await fillDemo({ ...place, target, password, progress: console.log })
    product = await startProduct(place)
    const rows = [
      ['admin', adminPassword, 'administrator'],
      ...people.map((one) => [one.username, password, one.about]),
    ]
    const wide = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0)) + 2
    console.log(`\nThe demo is running. Its data is deleted at the end.\n\n  console   ${product.url}/`)
    console.log(`  SSH       ssh -p ${product.sshPort} olivia@${product.sshHost}`)
    console.log(`            ssh -p ${product.sshPort} olivia@${target.username}@${target.host}@${product.sshHost}`)
    console.log(`  host      ${hostName}, ${target.host} port ${target.port}, account ${target.username}\n`)
    for (const [who = '', secret = '', about = ''] of rows)
      console.log(`  ${who.padEnd(wide(0))}${secret.padEnd(wide(1))}${about}`)
    console.log('\nCtrl-C stops everything.')
  } catch (reason) {
    await close()
    throw reason
  }
})
