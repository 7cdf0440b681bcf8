// `npm test`: installs what is needed, then runs every gate and every test on the pinned runtime.
// `npm test -- gates`, `npm test -- unit e2e` run only the named parts.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { installIfNeeded, pinnedNode, root } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const done = spawnSync(node, [join(root, 'scripts/tests/main.ts'), ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  process.exit(done.status ?? 1)
})
