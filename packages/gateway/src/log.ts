import pino from 'pino'

/** On a full disk, lines wait in memory (bytes) until there is room again; a program never ends for its log. */
const out = pino.destination({ dest: 1, sync: true, maxLength: 1024 * 1024 })
out.on('error', () => undefined)

/** The process' log. What could carry a secret is never given to it; the redaction is the second fence. */
export const log = pino(
  {
    level: process.env.CASTELLAN_LOG_LEVEL ?? 'info',
    base: { program: 'gateway' },
    redact: {
      paths: ['*.secret', '*.password', '*.passphrase', '*.value', '*.authorization', '*.cookie', 'secret', 'password'],
      censor: '***',
    },
  },
  out,
)
