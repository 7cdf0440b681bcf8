import { startGateway } from './gateway.ts'
import { log } from './log.ts'
import { readSettings } from './settings.ts'

process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
process.on('uncaughtException', (error) => {
  // One connection's error must not take the others' sessions down; what is not known to be harmless does.
  log.fatal({ err: error }, 'uncaught exception')
  process.exit(70)
})

const gateway = await startGateway(readSettings(process.env))

let stopping = false
const stop = () => {
  if (stopping) process.exit(1)
  stopping = true
  setTimeout(() => process.exit(1), 10_000).unref()
  void gateway.stop().then(() => process.exit(0))
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
