// `npm run changelog`: moves the sentences in changes/ into CHANGELOG.md, under the version in package.json.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './runtime.mjs'
import { run, Stop } from './stop.mjs'

const title = '# Changelog\n'
const categories = ['Added', 'Changed', 'Fixed', 'Security']

/** Category and sentence of a note such as `fixed: Lists can be searched.` @param {string} note */
export function readNote(note) {
  const [, category = '', sentence = ''] = /^(added|changed|fixed|security): (\S.*\.)$/.exec(note.trim()) ?? []
  return category ? { category: `${category[0]?.toUpperCase()}${category.slice(1)}`, sentence } : undefined
}

/** A version's section with more lines below the headings of their categories. @param {string} section @param {{ category: string, sentence: string }[]} notes */
function extended(section, notes) {
  let result = section
  for (const category of categories) {
    const lines = notes.filter((note) => note.category === category).map(({ sentence }) => `- ${sentence}\n`)
    if (lines.length === 0) continue
    const heading = `### ${category}\n\n`
    const at = result.indexOf(heading)
    if (at < 0) result = `${result.trimEnd()}\n\n${heading}${lines.join('')}`
    else result = result.slice(0, at + heading.length) + lines.join('') + result.slice(at + heading.length)
  }
  return result
}

/**
 * The changelog with notes under a version: a new section on top, or more lines in the one that is there.
 * @param {string} before the changelog as it is @param {string} version @param {string} date
 * @param {{ category: string, sentence: string }[]} notes newest first
 */
export function withChanges(before, version, date, notes) {
  const sections = before
    .replace(title, '')
    .trim()
    .split(/\n\n(?=## )/)
    .filter(Boolean)
  const at = sections.findIndex((section) => section.startsWith(`## ${version} `))
  if (at < 0) sections.unshift(extended(`## ${version} – ${date}\n`, notes).trim())
  else sections[at] = extended(`${sections[at]}\n`, notes).trim()
  return `${title}\n${sections.join('\n\n')}\n`
}

if (import.meta.filename === process.argv[1]) {
  await run(() => {
    const folder = join(root, 'changes')
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .sort()
      .reverse()
    if (files.length === 0) throw new Stop('There is nothing in changes/ to take over.')
    const notes = files.flatMap((file) => readNote(readFileSync(join(folder, file), 'utf8')) ?? [])
    if (notes.length < files.length) throw new Stop('A note in changes/ has no category: see changes/README.md.')
    const changelog = join(root, 'CHANGELOG.md')
    const before = existsSync(changelog) ? readFileSync(changelog, 'utf8') : ''
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(changelog, withChanges(before, version, new Date().toISOString().slice(0, 10), notes))
    for (const file of files) rmSync(join(folder, file))
    console.log(`${notes.length} notes went into CHANGELOG.md, ${version}.`)
  })
}
