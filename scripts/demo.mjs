// `npm run demo`: like `npm start`, with sample data in a temporary folder.
import { buildConsoleIfNeeded } from './console-build.mjs'
import { handOver, installIfNeeded, pinnedNode } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  buildConsoleIfNeeded(node)
  handOver(node, 'scripts/demo/main.ts', [])
})
