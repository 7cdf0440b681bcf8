// `npm start`: what a fresh clone needs first (packages, the console's build), then the supervisor on the pinned runtime.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildConsoleIfNeeded } from './console-build.mjs'
import { installIfNeeded, pinnedNode, root } from './runtime.mjs'
import { run } from './stop.mjs'

await run(() => {
  installIfNeeded()
  const node = pinnedNode()
  buildConsoleIfNeeded(node)
  const words = [join(root, 'scripts/supervisor/main.mjs'), ...process.argv.slice(2)]
  // Taking this process's place saves the memory of a second one; where that is not possible, stand aside and pass signals on.
  if (typeof process.execve === 'function') process.execve(node, [node, ...words], process.env)
  const supervisor = spawn(node, words, { stdio: 'inherit' })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => supervisor.kill(signal))
  supervisor.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
})
