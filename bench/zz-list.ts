import { signIn } from '@castellan/testing/client'
import { startProduct } from '@castellan/testing/product'
import { processorPerRequest, processorTime } from './results.ts'
import { execFileSync } from 'node:child_process'
const product = await startProduct({ dataDir: '/tmp/lists-data', adminPassword: 'Bench-1-password' })
const client = await signIn(product.url, 'admin', product.adminPassword)
const pid = (await product.status()).programs.server.pid ?? 0
const paths = process.argv.slice(3)
for (let k = 0; k < 5; k++) for (const p of paths) console.log(p, (await processorPerRequest(client, pid, '/api/v1/' + p)).toFixed(2), 'ms')
if (process.argv[2] === 'prof') for (const p of paths) {
  let on = true
  const loop = (async () => { while (on) await client.request('GET', '/api/v1/' + p) })()
  execFileSync('true')
  const { spawn } = await import('node:child_process')
  await new Promise((r) => spawn(process.execPath, ['/tmp/attach.mjs', String(pid), '6', '/tmp/prof/list.cpuprofile'], { stdio: 'inherit' }).on('exit', r))
  on = false; await loop
}
await product.stop()
