import { startGateway } from './gateway.ts'
import { log } from './log.ts'
import { type GatewaySettings, readSettings } from './settings.ts'

process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
/** Errors of one connection's streams, which must not end the sessions of others. */
const harmless = /^(?:ERR_STREAM_|ERR_SOCKET_|EPIPE$|ECONNRESET$|ECONNABORTED$|ETIMEDOUT$)/

process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  if (error.code && harmless.test(error.code)) {
    log.error({ err: error }, 'a stream failed without an error listener')
    return
  }
  log.fatal({ err: error }, 'uncaught exception')
  process.exit(70)
})

const gateway = await startGateway(settings())

/**
 * Settings from the environment; an invalid value exits with EX_CONFIG (sysexits.h) and a message, so that the
 * supervisor does not restart.
 */
function settings(): GatewaySettings {
  try {
    return readSettings(process.env)
  } catch (error) {
    console.error((error as Error).message)
    process.exit(78)
  }
}

let stopping = false
const stop = () => {
  if (stopping) process.exit(1)
  stopping = true
  setTimeout(() => process.exit(1), 10_000).unref()
  void gateway.stop().then(() => process.exit(0))
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
