import { spawn } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyRow, type Client, signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit } from '@castellan/testing/granted-host'
import { type Product, startProduct } from '@castellan/testing/product'
import { type RealSshd, startSshd } from '@castellan/testing/sshd'

const username = 'paula'
const password = 'Paula-measures-1'

/** Arguments and environment for OpenSSH's programs to connect to a host without a prompt. */
export interface Way {
  host: string
  port: number
  login: string
  words: string[]
  env: NodeJS.ProcessEnv
}

/** The product with one real host behind it, and two routes to that host. */
export interface ReachableHost extends AsyncDisposable {
  product: Product
  sshd: RealSshd
  admin: Client
  asset: AnyRow
  person: { username: string; password: string }
  direct: Way
  through: Way
}

/** Starts an sshd and the product, with a user who has all permissions on that host. Removed by disposing. */
export async function startReachableHost(sshdConfig: string[] = []): Promise<ReachableHost> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'))
  const sshd = await startSshd({ config: sshdConfig })
  const product = await startProduct()
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const user = await makePerson(admin, username, password)
  const asset = await makeHost(admin, sshd, 'measured')
  await permit(admin, user, [asset])
  const askpass = join(folder, 'askpass')
  writeFileSync(askpass, `#!/bin/sh\necho '${password}'\n`, { mode: 0o700 })
  const words = (...own: string[]) =>
    ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR', ...own].flatMap((word) => [
      '-o',
      word,
    ])
  return {
    product,
    sshd,
    admin,
    asset,
    person: { username, password },
    direct: {
      host: sshd.host,
      port: sshd.port,
      login: sshd.username,
      words: words('IdentitiesOnly=yes', `IdentityFile=${sshd.privateKeyFile}`),
      env: process.env,
    },
    through: {
      host: product.sshHost,
      port: product.sshPort,
      login: `${username}@${sshd.username}@${sshd.host}`,
      words: words('PubkeyAuthentication=no'),
      env: { ...process.env, SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
    },
    async [Symbol.asyncDispose]() {
      await product.stop()
      await sshd.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Runs a program to its end.
 * @throws Error with its output, when it fails
 */
export function finish(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (part: Buffer) => {
      said += part
    })
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}: ${said}`)),
    )
  })
}

/** Downloads a file to nowhere. @param option of OpenSSH, such as a cipher */
export function download(program: 'sftp' | 'scp', way: Way, file: string, option: string): Promise<void> {
  const to = ['-P', `${way.port}`, '-o', `User=${way.login}`, `${way.host}:${file}`, '/dev/null']
  return finish(program, ['-q', ...way.words, '-o', option, ...to], way.env)
}

/** The process id of one of the product's programs. */
export async function pidOf(product: Product, program: 'server' | 'gateway'): Promise<number> {
  return (await product.status()).programs[program].pid ?? Number.NaN
}

/** Creates a sparse file of zeros, which takes neither time nor space. */
export function makeLargeFile(path: string, megabytes: number): void {
  const handle = openSync(path, 'w', 0o644)
  ftruncateSync(handle, megabytes * 1024 * 1024)
  closeSync(handle)
}
