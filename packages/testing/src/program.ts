import { spawn } from 'node:child_process'

/** A server of this machine that a test started. */
export interface RunningProgram {
  stop(): Promise<void>
}

/**
 * Starts a program and waits until it prints `ready`. It ends with the process of the test.
 * @throws Error with the program's own words when it ends before
 */
export async function startProgram(path: string, args: readonly string[], ready: string): Promise<RunningProgram> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: string) => {
      said = (said + chunk).slice(-4000)
      if (said.includes(ready)) resolve()
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}:\n${said}`)))
  })
  return {
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}
