// `npm run demo`: like `npm start`, in a folder that is thrown away, with something to look at.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { buildConsoleIfNeeded } from './console-build.mjs'
import { installIfNeeded, pinnedNode, root } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  buildConsoleIfNeeded(node)
  // Ctrl-C reaches both; this one only waits.
  process.on('SIGINT', () => {})
  const done = spawnSync(node, [join(root, 'scripts/demo/main.ts')], { cwd: root, stdio: 'inherit' })
  process.exit(done.status ?? 1)
})
