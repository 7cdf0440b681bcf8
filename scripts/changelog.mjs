// `npm run changelog`: moves the sentences in changes/ into CHANGELOG.md, under the version in package.json.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'
import { run, Stop } from './stop.mjs'

const title = '# Changelog\n'

/**
 * The changelog with new sentences under a version: a new section on top, or more lines in an existing one.
 * @param {string} before the present changelog
 * @param {string} version
 * @param {string} date
 * @param {string[]} sentences newest first
 */
export function withChanges(before, version, date, sentences) {
  const lines = sentences.map((sentence) => `- ${sentence}\n`).join('')
  const body = before.startsWith(title) ? before.slice(title.length) : before && `\n${before}`
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} .*\\n\\n`, 'm').exec(body)
  if (heading) {
    const at = heading.index + heading[0].length
    return title + body.slice(0, at) + lines + body.slice(at)
  }
  return `${title}\n## ${version} – ${date}\n\n${lines}${body}`
}

if (import.meta.filename === process.argv[1]) {
  await run(() => {
    const folder = join(root, 'changes')
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .sort()
      .reverse()
    if (files.length === 0) throw new Stop('There are no notes in changes/.')
    const sentences = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
    const changelog = join(root, 'CHANGELOG.md')
    const before = existsSync(changelog) ? readFileSync(changelog, 'utf8') : ''
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(changelog, withChanges(before, version, new Date().toISOString().slice(0, 10), sentences))
    for (const file of files) rmSync(join(folder, file))
    console.log(`${files.length} sentences moved to CHANGELOG.md, ${version}.`)
  })
}
