import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { settingCatalogue } from '@castellan/server/testing'
import { newCertificate } from '@castellan/testing/certificates'
import { itWith } from '@castellan/testing/parts'
import { isRunning } from '@castellan/testing/running'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bootstrapToken, prepareDataDir, readConfig } from './config.mjs'
import { requireFree } from './ports.mjs'
import { keepRunning, tail } from './program.mjs'
import { programs } from './programs.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'supervisor-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('configuration', () => {
  it('needs no variables', () => {
    expect(readConfig({})).toMatchObject({ httpHost: '127.0.0.1', httpPort: 8080, sshPort: 2222, tls: undefined })
  })

  it('does not serve the network without TLS', () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.5', 'example.org']) {
      expect(() => readConfig({ CASTELLAN_HTTP_HOST: host })).toThrow('in the clear')
    }
    expect(readConfig({ CASTELLAN_HTTP_HOST: '0.0.0.0', CASTELLAN_TRUSTED_PROXIES: '10.0.0.1' }).httpHost).toBe(
      '0.0.0.0',
    )
  })

  it('requires both halves of TLS, as existing files', () => {
    expect(() => readConfig({ CASTELLAN_TLS_CERT: '/x' })).toThrow('Only one of')
    expect(() => readConfig({ CASTELLAN_TLS_CERT: '/x', CASTELLAN_TLS_KEY: '/y' })).toThrow('cannot be read')
  })

  itWith('openssl', 'requires a certificate and its own key', () => {
    const pair = () => {
      const { certificateFile, keyFile, remove } = newCertificate()
      onTestFinished(remove)
      return { CASTELLAN_TLS_CERT: certificateFile, CASTELLAN_TLS_KEY: keyFile }
    }
    const [one, other] = [pair(), pair()]
    expect(readConfig(one).tls?.key.toString()).toContain('PRIVATE KEY')
    expect(() => readConfig({ ...one, CASTELLAN_TLS_KEY: other.CASTELLAN_TLS_KEY })).toThrow('does not belong to')
    expect(() => readConfig({ ...one, CASTELLAN_TLS_CERT: one.CASTELLAN_TLS_KEY })).toThrow('contains no certificate')
    expect(() => readConfig({ ...one, CASTELLAN_TLS_KEY: one.CASTELLAN_TLS_CERT })).toThrow('contains no private key')
  })

  it('lists the allowed words of a variable', () => {
    expect(() => readConfig({ CASTELLAN_LANGUAGE: 'fr' })).toThrow('CASTELLAN_LANGUAGE')
    expect(() => readConfig({ CASTELLAN_LOG: 'syslog' })).toThrow('CASTELLAN_LOG')
    expect(() => readConfig({ CASTELLAN_LOG_LEVEL: 'loud' })).toThrow('CASTELLAN_LOG_LEVEL')
  })

  it('names the variable that is not a port', () => {
    for (const text of ['0', '70000', 'http', '80.5']) {
      expect(() => readConfig({ CASTELLAN_SSH_PORT: text })).toThrow('CASTELLAN_SSH_PORT')
    }
    expect(() => readConfig({ CASTELLAN_HTTP_PORT: '2222' })).toThrow('both 2222')
  })

  it('stores a bootstrap token that only this user can read', () => {
    prepareDataDir(folder)
    const token = bootstrapToken(folder, {})
    expect(token).toHaveLength(32)
    expect(bootstrapToken(folder, {})).toBe(token)
    expect(statSync(join(folder, 'bootstrap-token')).mode & 0o777).toBe(0o600)
    expect(bootstrapToken(folder, { BOOTSTRAP_TOKEN: 'given' })).toBe('given')
  })

  it('explains why a data folder cannot be used', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => prepareDataDir(join(folder, 'file', 'inside'))).toThrow('a part of the path is a file')
  })

  // Nobody, not even root, makes folders in the kernel's own file system.
  itWith('linux', 'says that a data folder may not be written', () => {
    expect(() => prepareDataDir('/sys/castellan')).toThrow(/may not write there|read-only/)
  })

  it('names the variable that changes an occupied port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await expect(requireFree('CASTELLAN_HTTP_PORT', port, '127.0.0.1')).rejects.toThrow('in use by another program')
    other.close()
    await once(other, 'close')
    await requireFree('CASTELLAN_HTTP_PORT', port, '127.0.0.1')
  })

  it('hides the database, the first password and secret settings from the gateway', () => {
    const secrets = settingCatalogue.settings.filter(({ secret }) => secret).map(({ name }) => name)
    const kept = ['DATABASE_URL', 'CASTELLAN_ADMIN_PASSWORD', ...secrets]
    const env = { ...Object.fromEntries(kept.map((name) => [name, 'x'])), PATH: '/bin' }
    const sockets = { servers: ['/run/server-1'], gateway: '/run/gateway' }
    const given = { node: 'node', bootstrapToken: 't', serverPorts: [2], gatewayHttpPort: 1, sockets, env }
    const gateway = programs(readConfig({}), given).find((program) => program.name === 'gateway')
    expect(gateway?.env).toMatchObject({ PATH: '/bin', BOOTSTRAP_TOKEN: 't' })
    expect(secrets).toContain('EMAIL_HOST_PASSWORD')
    for (const name of kept) expect(gateway?.env).not.toHaveProperty(name)
  })

  it('starts as many servers as it is told, which only PostgreSQL is for', () => {
    const DATABASE_URL = 'postgres://localhost/castellan'
    for (const CASTELLAN_SERVERS of ['0', '4', '1.5', 'two'])
      expect(() => readConfig({ CASTELLAN_SERVERS, DATABASE_URL })).toThrow('CASTELLAN_SERVERS is')
    expect(() => readConfig({ CASTELLAN_SERVERS: '2' })).toThrow('embedded database is for one server')
    const config = readConfig({ CASTELLAN_SERVERS: '2', DATABASE_URL })
    expect(config.servers).toBe(2)
    const sockets = { servers: ['/run/server-1', '/run/server-2'], gateway: '/run/gateway' }
    const given = { node: 'node', bootstrapToken: 't', serverPorts: [2, 3], gatewayHttpPort: 1, sockets, env: {} }
    const servers = programs(config, given).filter(({ env }) => env.CASTELLAN_ROLE === 'api')
    expect(servers.map(({ name, env }) => [name, env.CASTELLAN_HTTP_PORT, env.CASTELLAN_HTTP_SOCKET])).toEqual([
      ['server', '2', '/run/server-1'],
      ['server-2', '3', '/run/server-2'],
    ])
  })

  it('names the city database by its whole path: the programs run in another folder', () => {
    const sockets = { servers: ['/run/server-1'], gateway: '/run/gateway' }
    const env = { CASTELLAN_CITY_DATABASE: 'cities.mmdb' }
    const given = { node: 'node', bootstrapToken: 't', serverPorts: [2], gatewayHttpPort: 1, sockets, env }
    for (const program of programs(readConfig({}), given))
      expect(program.env.CASTELLAN_CITY_DATABASE).toBe(join(process.cwd(), 'cities.mmdb'))
  })
})

describe('a supervised program', () => {
  const script = (body: string) => {
    const file = join(folder, 'program.mjs')
    writeFileSync(file, body)
    return [process.execPath, file]
  }
  const keep = (command: string[], more: { say?: (text: string) => void; isStarting?: () => boolean } = {}) => {
    const quiet = { say: () => {}, isStarting: () => false, ...more }
    return keepRunning({ name: 'it', command, cwd: folder, env: process.env, log: join(folder, 'log'), ...quiet })
  }

  it('is restarted after kill -9', async () => {
    const program = keep(script('setInterval(() => {}, 1000)'))
    const first = program.state.pid ?? 0
    process.kill(first, 'SIGKILL')
    await vi.waitFor(() => expect(program.state).toEqual({ pid: expect.any(Number), restarts: 1 }), 5000)
    expect(program.state.pid).not.toBe(first)
    await program.stop()
  })

  it('has time to end gracefully', async () => {
    const program = keep(
      script(
        `setInterval(() => {}, 1000); process.on('SIGTERM', () => setTimeout(() => { console.log('bye'); process.exit() }, 100)); console.log('up')`,
      ),
    )
    await vi.waitFor(() => expect(tail(join(folder, 'log'), 5)).toBe('up'), 5000)
    await program.stop()
    expect(tail(join(folder, 'log'), 5)).toBe('up\nbye')
    expect(program.state).toEqual({ pid: undefined, restarts: 0 })
  })

  it('is given up when it crashes repeatedly at start, and is no longer reported as starting', async () => {
    const said: string[] = []
    const program = keep(script('process.exit(3)'), { say: (text) => said.push(text), isStarting: () => true })
    await vi.waitFor(() => expect(program.gaveUp).toBe(true), 8000)
    expect(said.map((text) => text.includes('starting it again'))).toEqual([true, true, true, false])
    expect(program.state).toEqual({ pid: undefined, restarts: 3 })
  })

  it('ends when its supervisor is killed with -9', async () => {
    const [, child = ''] = script(`console.log('up'); setInterval(() => {}, 1000)`)
    const supervisor = join(folder, 'supervisor.mjs')
    const kept = fileURLToPath(new URL('program.mjs', import.meta.url))
    writeFileSync(
      supervisor,
      `import { keepRunning } from ${JSON.stringify(kept)}
       import { writeFileSync } from 'node:fs'
       const kept = keepRunning({ name: 'it', command: [process.execPath, ${JSON.stringify(child)}], cwd: '.', env: process.env, log: 'log', say() {}, isStarting: () => false })
       writeFileSync('pid', String(kept.state.pid))`,
    )
    const running = spawn(process.execPath, [supervisor], { cwd: folder, stdio: 'ignore' })
    await vi.waitFor(() => expect(existsSync(join(folder, 'pid'))).toBe(true), 5000)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    // Only a program that has loaded the module can notice; it does so before its own first words.
    await vi.waitFor(() => expect(tail(join(folder, 'log'), 5)).toBe('up'), 5000)
    expect(isRunning(pid)).toBe(true)
    running.kill('SIGKILL')
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 5000)
  })
})
