import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Environment variable with the folder of recorded v3 conversations, which are not part of this repository. */
export const conversationsVariable = 'CASTELLAN_CONVERSATIONS'

export function conversationsFolder(): string | undefined {
  return process.env[conversationsVariable]
}

export interface ConversationResult {
  passed: number
  failed: number
  /** Output of the runner, including failed steps. */
  output: string
}

/**
 * Replays recorded conversations against a running product.
 * @param target address and credentials of a system administrator
 * @param scenarios names or prefixes of names; all if empty
 * @throws Error if no folder is configured or the runner ends without a result
 */
export async function converse(
  target: { url: string; adminPassword: string; bootstrapToken: string },
  scenarios: readonly string[] = [],
): Promise<ConversationResult> {
  const folder = conversationsFolder()
  if (!folder) throw new Error(`${conversationsVariable} does not name the folder of the conversations.`)
  const words = [join(folder, 'run.mjs'), target.url, 'admin', target.adminPassword, ...scenarios]
  const runner = spawn(process.execPath, words, {
    env: { ...process.env, BOOTSTRAP_TOKEN: target.bootstrapToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await new Promise((settle) => runner.once('close', settle))
  const result = /(\d+) passed, (\d+) failed/.exec(output)
  if (!result) throw new Error(`The conversations ended without a result:\n${output.slice(-2000)}`)
  return { passed: Number(result[1]), failed: Number(result[2]), output }
}
