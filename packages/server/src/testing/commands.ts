import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@castellan/contract/ids'
import type { Client } from '@castellan/testing/client'

/** Reports commands of a session of Ada as a gateway does; those that remove something are dangerous. */
export const reportCommands = (gateway: Client, session: string, inputs: readonly string[], more: object = {}) =>
  gateway.request(
    'POST',
    '/api/v1/terminal/commands/',
    inputs.map((input) => ({
      id: randomUUID(),
      user: 'Ada(ada)',
      asset: 'web-1(10.0.0.1)',
      account: 'root(root)',
      session,
      input,
      output: `output of ${input}`,
      risk_level: input.startsWith('rm') ? 5 : 0,
      timestamp: Math.floor(Date.now() / 1000),
      org_id: defaultOrgId,
      ...more,
    })),
  )
