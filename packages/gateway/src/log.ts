import pino from 'pino'

/** The process' log. What could carry a secret is never given to it; the redaction is the second fence. */
export const log = pino({
  level: process.env.CASTELLAN_LOG_LEVEL ?? 'info',
  base: { program: 'gateway' },
  redact: {
    paths: ['*.secret', '*.password', '*.passphrase', '*.value', '*.authorization', '*.cookie', 'secret', 'password'],
    censor: '***',
  },
})
