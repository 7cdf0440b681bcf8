import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeWith } from '@castellan/testing/parts'
import { sampled } from '@castellan/testing/sample'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RotationBench, type RotationCrash, startRotation } from '../../../testing/rotation.ts'
import { commitsOfThisRun } from '../../../testing/this-run.ts'

const program = fileURLToPath(new URL('../../../testing/rotation-worker.ts', import.meta.url))
let bench: RotationBench
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-crash-'))
  chmodSync(folder, 0o777)
  // Says that a command came or is done, and waits until the worker is dead.
  const halt = (step: string) => `touch ${folder}/reached; while [ -e ${folder}/${step} ]; do sleep 0.02; done`
  const script = [
    `[ -e ${folder}/before ] && { ${halt('before')}; exit 1; }`,
    'sh -c "$SSH_ORIGINAL_COMMAND"; status=$?',
    `[ -e ${folder}/after ] && { ${halt('after')}; }`,
    'exit $status',
  ]
  writeFileSync(join(folder, 'command'), `${script.join('\n')}\n`, { mode: 0o755 })
  bench = await startRotation({ config: [`ForceCommand /bin/sh ${folder}/command`] })
})
afterAll(async () => {
  await bench.stop()
  rmSync(folder, { recursive: true, force: true })
})

interface Crash {
  /** The transaction before whose commit the worker kills itself. */
  transaction?: number
  /** Whether it is killed before the target carries out the command, or after that. */
  target?: 'before' | 'after'
}

/** Starts an execution in a worker of its own. Returns whether that was killed. */
async function struck(task: string, { transaction = 0, target }: Crash): Promise<boolean> {
  const { server } = bench
  const { databaseUrl } = server.application.services.config
  const plan: RotationCrash = { dataDir: server.dataDir, databaseUrl, task, transaction }
  if (target) writeFileSync(join(folder, target), '')
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, CASTELLAN_TEST_CRASH: JSON.stringify(plan) },
    stdio: 'inherit',
  })
  const exited = once(child, 'exit')
  if (target) {
    await expect.poll(() => existsSync(join(folder, 'reached')), { timeout: 60_000, interval: 10 }).toBe(true)
    child.kill('SIGKILL')
    await exited
    for (const file of [target, 'reached']) rmSync(join(folder, file))
  }
  const [, signal] = await exited
  return signal === 'SIGKILL'
}

/** Starts an execution whose worker is killed, and checks what is known then and after another worker continued. */
async function survives(crash: Crash, isSelf: boolean): Promise<boolean> {
  const asset = await bench.host(isSelf ? { accounts: [] } : {})
  const { id, username, password } = await bench.person(asset, { privileged: isSelf })
  const task = await bench.start(await bench.plan({ assets: [asset], accounts: [username] }))
  const isStruck = await struck(task, crash)

  const where = JSON.stringify(crash)
  const records = await bench.records(`execution_id=${task}`)
  expect(records.length, where).toBeLessThanOrEqual(1)
  const [record] = records
  const current = await bench.secretOf(id)
  const pending = record ? await bench.secretsIn(record.id) : undefined
  const isCurrentValid = await bench.accepts(username, current)
  if (crash.target) expect(isCurrentValid, where).toBe(crash.target === 'before')
  if (!isCurrentValid) {
    expect(record, where).toMatchObject({ status: 'pending', in_doubt: true })
    expect(pending?.before, where).toBe(password)
    expect(await bench.accepts(username, pending?.after ?? ''), where).toBe(true)
  }

  // The lease of a dead worker ends after a minute; the test shortens it.
  await bench.server.application.services.database.writer
    .updateTable('kernel_job')
    .set({ date_lease: 0 })
    .where('id', '=', task)
    .where('state', '=', 'RUNNING')
    .execute()
  await bench.work()
  const execution = await bench.ended(task)
  await bench.rest()
  const items = JSON.stringify(await bench.itemsOf(task))
  expect(execution.summary, `${where} ${items}`).toMatchObject({ total: 1, success: 1 })
  const after = await bench.records(`execution_id=${task}`)
  expect(after, where).toMatchObject([{ status: 'success', in_doubt: false, error: null }])
  const secret = await bench.secretOf(id)
  expect(await bench.secretsIn(after[0]?.id ?? ''), where).toEqual({ before: password, after: secret })
  expect(secret, where).not.toBe(password)
  // What was stored before the crash is what is set after it: the target never gets a third secret.
  if (pending?.after) expect(secret, where).toBe(pending.after)
  expect(await bench.accepts(username, secret), where).toBe(true)
  return isStruck
}

describeWith(
  ['sshd', 'ssh-keygen', 'root', 'sudo'],
  'a worker that is killed while it changes a secret',
  { timeout: 280_000 },
  () => {
    const everywhere = async (isSelf: boolean) => {
      const commits = commitsOfThisRun(String(isSelf))
      let transaction = commits.next().value
      while (await survives({ transaction }, isSelf)) transaction = commits.next().value
      // Planning, the login, the pending record, the current secret and others.
      expect(transaction).toBeGreaterThan(5)
    }

    it(sampled('before any of its transactions leaves a valid secret known, and another one finishes its work'), () =>
      everywhere(false),
    )

    it('by the target, before or after the secret was set, does so too', async () => {
      expect(await survives({ target: 'before' }, false)).toBe(true)
      expect(await survives({ target: 'after' }, false)).toBe(true)
    })

    it(sampled('does so where a privileged account changes the secret it signs in with'), async () => {
      await bench.changePrivileged()
      await everywhere(true)
      expect(await survives({ target: 'before' }, true)).toBe(true)
      expect(await survives({ target: 'after' }, true)).toBe(true)
    })
  },
)
