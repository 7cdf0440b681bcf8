// `npm test`: installs dependencies, then runs every gate and every test on the pinned runtime. `npm test -- gates`,
// `npm test -- unit e2e` run only the named parts.
import { delimiter, dirname } from 'node:path'
import { handOver, installIfNeeded, pinnedNode } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  handOver(node, 'scripts/tests/main.ts', process.argv.slice(2), env)
})
