// Builds the console when its sources changed since the last build; otherwise costs a few milliseconds.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'
import { Stop } from './stop.mjs'

const console_ = join(root, 'packages/console')
const stamp = join(console_, 'dist/.built-from')
const inputs = ['packages/console', 'packages/contract/src', 'package-lock.json', 'tsconfig.base.json']
const notSources = new Set(['node_modules', 'dist'])

/** @param {string} path relative to the repository @param {import('node:crypto').Hash} hash */
function feed(path, hash) {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (notSources.has(entry.name) || entry.name.startsWith('.')) continue
    const inner = `${path}/${entry.name}`
    if (entry.isDirectory()) feed(inner, hash)
    else if (!/\.test\.tsx?$/.test(entry.name)) hash.update(`${inner}\0`).update(readFileSync(join(root, inner)))
  }
}

/** A digest of everything the built console depends on. */
export function consoleSources() {
  const hash = createHash('sha256')
  for (const input of inputs) {
    if (/\.json$/.test(input)) hash.update(`${input}\0`).update(readFileSync(join(root, input)))
    else feed(input, hash)
  }
  return hash.digest('hex')
}

/**
 * Builds packages/console into its dist folder unless it was built from the same sources.
 * @param {string} node the executable to build with
 * @throws {Stop} when the build fails; an older build is then no longer served
 */
export function buildConsoleIfNeeded(node) {
  const sources = consoleSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  console.log('Building the console (once, and after a change) …')
  rmSync(stamp, { force: true })
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const done = spawnSync(node, [vite, 'build', '--logLevel', 'warn'], { cwd: console_, encoding: 'utf8' })
  if (done.status !== 0) throw new Stop(`The console could not be built.\n${done.stdout ?? ''}${done.stderr ?? ''}`)
  writeFileSync(stamp, sources)
}
