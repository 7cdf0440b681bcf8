// `npm start`: prepares a fresh clone (packages, the console's build), then runs the supervisor on the pinned runtime.
import { buildConsoleIfNeeded } from './console-build.mjs'
import { handOver, installIfNeeded, pinnedNode } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  buildConsoleIfNeeded(node)
  handOver(node, 'scripts/supervisor/main.mjs', process.argv.slice(2))
})
