// `npm run shots`: pictures of every kind of screen, for review; needs chromium.
import { buildConsoleIfNeeded } from './console-build.mjs'
import { handOver, installIfNeeded, pinnedNode } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  buildConsoleIfNeeded(node)
  handOver(node, 'e2e/shots.ts', process.argv.slice(2))
})
