/**
 * Resets the password of a user who cannot be helped by an administrator: `npm run reset-password -- <username> [--mfa]
 * [--activate]`
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pino from 'pino'
import { openServices } from './application.ts'
import { readConfig } from './config.ts'
import { systemContext } from './kernel/module/context.ts'
import { resetAccess } from './modules/users/index.ts'

const usage = `npm run reset-password -- <username> [--mfa] [--activate]

Gives somebody a new password, which has to be changed at the next sign-in, and lifts the block of failed tries.
  --mfa       takes the second factor away, too
  --activate  enables an account that is disabled or has ended`

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { mfa: { type: 'boolean', default: false }, activate: { type: 'boolean', default: false } },
  })
  const [username, ...more] = positionals
  if (username === undefined || more.length > 0) throw new Error(usage)
  const config = readConfig()
  if (!existsSync(config.dataDir))
    throw new Error(`There is no data folder ${config.dataDir}: set CASTELLAN_DATA_DIR to its path.`)
  const services = await openServices(config, pino({ level: 'silent' }))
  try {
    const { password, obstacles } = await resetAccess(systemContext(services), username, values)
    console.log(`The password of ${username} is now  ${password}\nIt has to be changed at the next sign-in.`)
    for (const obstacle of obstacles) console.log(obstacle)
  } finally {
    await services.database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
