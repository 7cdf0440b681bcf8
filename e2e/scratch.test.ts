import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@castellan/testing/client'
import { makeHost, makePerson, permit, refuseDangerous } from '@castellan/testing/granted-host'
import { freePort } from '@castellan/testing/ports'
import { startPostgres } from '@castellan/testing/postgres'
import { startProduct } from '@castellan/testing/product'
import { startSshd } from '@castellan/testing/sshd'
import { openWebTerminal, signInForCookies, terminalQuery } from '@castellan/testing/web-terminal'
import { it, vi } from 'vitest'
import { byKey, byPassword, ssh, sshTerminal } from './openssh.ts'

const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms))
it('hard', { timeout: 400_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hard-'))
  const pg = await startPostgres()
  const [target, product] = await Promise.all([startSshd(), startProduct({ env: { DATABASE_URL: pg.createDatabase() } })])
  const admin = await signIn(product.url, 'admin', product.adminPassword)
  const host: any = await makeHost(admin, target, 'far')
  const tina: any = await makePerson(admin, 'tina', 'Hard-tina-12', {})
  const perm: any = await permit(admin, tina, [host])
  await refuseDangerous(admin)
  const key = join(folder, 'k'); execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  await admin.collection('users/users').change(tina.id, { public_key: readFileSync(`${key}.pub`, 'utf8').trim() })
  const person = byPassword(folder, 'tina', 'Hard-tina-12')
  const login = `tina@${target.username}@127.0.0.1`
  const sessions = () => admin.collection<any>('terminal/sessions').all({ order: '-date_start' })
  // clocks
  for (const shift of [2 * 86400_000, -2 * 86400_000]) {
    const dir = mkdtempSync(join(tmpdir(), 'gw-'))
    const sshPort = await freePort(); const httpPort = await freePort()
    const gw = spawn(process.execPath, ['--import', '/tmp/shift.mjs', 'packages/gateway/src/main.ts'], { env: { ...process.env, NODE_OPTIONS: '', SHIFT_MS: `${shift}`, CASTELLAN_SERVER_URL: product.url, BOOTSTRAP_TOKEN: product.bootstrapToken, CASTELLAN_DATA_DIR: dir, CASTELLAN_SSH_PORT: `${sshPort}`, CASTELLAN_GATEWAY_HTTP_PORT: `${httpPort}`, CASTELLAN_COMPONENT_NAME: `shifted ${shift}` } as any, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''; gw.stdout.on('data', (d) => { out += d })
    await vi.waitFor(() => { if (!out.includes('gateway serves')) throw new Error(out) }, { timeout: 20000 })
    const there = { ...product, sshPort } as any
    console.log(shift, 'password', JSON.stringify((await ssh(there, person, login, ['127.0.0.1', 'echo by-password'])).out.toString()))
    console.log(shift, 'key', JSON.stringify((await ssh(there, byKey(key), login, ['127.0.0.1', 'echo by-key'])).out.toString()))
    const t = sshTerminal(there, person, login)
    await vi.waitFor(() => { if (!t.text().includes('$ ')) throw new Error(t.text()) }, { timeout: 20000 })
    t.type('echo typed-$((40+2))\r'); await sleep(2500)
    const rows = await sessions()
    console.log(shift, rows.slice(0, 3).map((r) => [r.date_start, r.type.value, r.is_finished, r.remote_addr, r.terminal?.name]))
    const cmds: any = await admin.request('GET', `/api/v1/terminal/commands/?session_id=${rows.find((r) => !r.is_finished)?.id}`)
    console.log(shift, cmds.map((c: any) => [c.input, c.timestamp_display ?? c.timestamp, Math.round(Date.now() / 1000 - c.timestamp)]))
    const terms: any = await admin.request('GET', '/api/v1/terminal/terminals/')
    console.log(terms.map((x: any) => [x.name, x.is_alive, x.session_online]))
    // expiry in mid-session: 40 s from now
    await admin.collection('perms/asset-permissions').change(perm.id, { date_expired: new Date(Date.now() + 15_000).toISOString() })
    const t2 = sshTerminal(there, person, login)
    const begun = Date.now(); 
    await vi.waitFor(() => { if (t2.code() === undefined) throw new Error() }, { timeout: 60000, interval: 200 })
    console.log(shift, 'ended after', (Date.now() - begun) / 1000, t2.text().slice(-120))
    await admin.collection('perms/asset-permissions').change(perm.id, { date_expired: new Date(Date.now() + 86400_000_00).toISOString() })
    await t.close(); gw.kill(); 
  }
  // vanish
  const held: any[] = []
  const port = await freePort()
  const proxy = createServer((a) => { const b = connect(Number(new URL(product.url).port), '127.0.0.1'); a.pipe(b); b.pipe(a); a.on('error', () => 0); b.on('error', () => 0); held.push(a, b) }).listen(port)
  const cookie = await signInForCookies(product.url, 'tina', 'Hard-tina-12')
  const query = await terminalQuery(await signIn(product.url, 'tina', 'Hard-tina-12'), { asset: host.id, account: 'person' })
  const web = openWebTerminal(`http://127.0.0.1:${port}`, query, cookie)
  await vi.waitFor(() => { if (!web.text.includes('$ ')) throw new Error(web.text) }, { timeout: 20000 })
  web.type('sleep 1000 & while :; do date; sleep 0.1; done\r')
  await sleep(500)
  for (const s of held) { s.unpipe(); s.pause() }
  const client = spawn('ssh', ['-tt', ...person.words, '-p', `${product.sshPort}`, '-l', login, '127.0.0.1'], { env: person.env })
  let shown = ''; client.stdout.on('data', (d) => { shown += d })
  await vi.waitFor(() => { if (!shown.includes('$ ')) throw new Error(shown) }, { timeout: 20000 })
  client.kill('SIGSTOP')
  const t0 = Date.now()
  for (let n = 0; n < 150; n++) {
    const rows = (await sessions()).slice(0, 2)
    const shells = execFileSync('sh', ['-c', `pgrep -u ${target.username} -c bash || true`], { encoding: 'utf8' }).trim()
    if (n % 10 === 0 || rows.every((r) => r.is_finished)) console.log(Math.round((Date.now() - t0) / 1000), rows.map((r) => [r.login_from.value, r.is_finished, r.has_replay]), 'shells', shells)
    if (rows.every((r) => r.is_finished && r.has_replay)) break
    await sleep(1000)
  }
  client.kill('SIGKILL'); web.socket.terminate(); proxy.close()
  await product.stop(); await target.stop(); await pg.stop(); rmSync(folder, { recursive: true })
})
