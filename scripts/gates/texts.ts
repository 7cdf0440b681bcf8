import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { readNote } from '../changelog.mjs'
import { type Gate, isSource, isTest, matches } from './gate.ts'

const catalogueFile = /^packages\/contract\/src\/messages\/.*\.ts$/
/** Languages are named in themselves everywhere. */
const ownNames = /中文|简体中文|日本語/g
/** Files with words that are recognized, not shown. */
const recognised: Record<string, string> = {
  'packages/gateway/src/rules/line-reading.ts': 'password prompts of targets',
  'packages/gateway/src/brokering/switch-user.ts': 'password prompts and refusals of targets',
}
const cjk = /[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff]/

type Texts = Record<string, Record<string, string>>

/** Findings of one message: a language without a text, or placeholders that differ between languages. */
export function faultsOf(key: string, message: Record<string, string>): string[] {
  const placeholders = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(' ')
  const { en = '', zh = '', ja = '' } = message
  const empty = Object.entries({ en, zh, ja }).flatMap(([language, text]) =>
    text.trim() ? [] : [`${key} has no text in ${language}`],
  )
  if (empty.length > 0) return empty
  const differ = placeholders(en) !== placeholders(zh) || placeholders(en) !== placeholders(ja)
  return differ
    ? [`${key}: the placeholders differ: en ${placeholders(en)} | zh ${placeholders(zh)} | ja ${placeholders(ja)}`]
    : []
}

export const catalogueComplete: Gate = {
  name: 'every text exists in three languages with the same placeholders',
  async run({ root, files }) {
    const problems: string[] = []
    for (const file of files.filter((one) => catalogueFile.test(one) && !isTest(one))) {
      const exported = (await import(pathToFileURL(`${root}/${file}`).href)) as Record<string, Texts>
      for (const texts of Object.values(exported)) {
        if (typeof texts !== 'object' || texts === null) continue
        for (const [key, message] of Object.entries(texts)) {
          if (message && typeof message === 'object' && 'en' in message)
            problems.push(...faultsOf(`${file} ${key}`, message))
        }
      }
    }
    return problems
  },
}

/** Keys of `defineMessages({ … })` in a catalog, with their lines. */
export function keysOf(file: string, text: string): { key: string; line: number }[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: { key: string; line: number }[] = []
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'defineMessages') {
      const [table] = node.arguments
      if (table && ts.isObjectLiteralExpression(table)) {
        for (const row of table.properties) {
          if (!row.name) continue
          const key = ts.isIdentifier(row.name) || ts.isStringLiteralLike(row.name) ? row.name.text : row.name.getText()
          found.push({ key, line: source.getLineAndCharacterOfPosition(row.getStart()).line + 1 })
        }
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

export const catalogueUsed: Gate = {
  name: 'every text is used',
  run({ files, read }) {
    const words = new Set<string>()
    for (const file of files.filter((one) => isSource(one) && !catalogueFile.test(one))) {
      for (const word of read(file).match(/[\p{L}\p{N}_$.-]+/gu) ?? []) {
        words.add(word)
        for (const part of word.split('.')) words.add(part)
      }
    }
    // Labels are looked up by resource and field: `account.name.help` belongs to the field `name` of `account`.
    const isUsed = (key: string) =>
      words.has(key) || (key.includes('.') && key.split('.').every((part) => part === 'help' || words.has(part)))
    return files
      .filter((file) => catalogueFile.test(file) && !isTest(file))
      .flatMap((file) =>
        keysOf(file, read(file))
          .filter(({ key }) => !isUsed(key))
          .map(({ key, line }) => `${file}:${line} nobody uses ${key}`),
      )
  },
}

/** Attributes whose value is shown to users. */
const shownAttributes = new Set([
  'title',
  'label',
  'placeholder',
  'alt',
  'aria-label',
  'description',
  'okText',
  'cancelText',
  'content',
  'tooltip',
  'extra',
])
/** Names that are the same in every language. */
const sameEverywhere = new Set([
  'Castellan',
  'OK',
  'SSH',
  'SFTP',
  'HTTP',
  'HTTPS',
  'IP',
  'ID',
  'URL',
  'CPU',
  'UTC',
  'MFA',
  'Esc',
  'Ctrl',
  'Enter',
  'Tab',
  'CSV',
  'Excel',
  'iOS',
  'Android',
])

/** Whether an element marks its content as not translatable: `translate="no"`, as in HTML. */
function isUntranslatable(node: ts.Node): boolean {
  if (!ts.isJsxElement(node)) return false
  return node.openingElement.attributes.properties.some(
    (one) => ts.isJsxAttribute(one) && /^translate=["']no["']$/.test(one.getText()),
  )
}

/** Words in the markup of a TSX file that exist in one language only. */
export function rawLiterals(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const report = (node: ts.Node, words: string) => {
    const shown = words.trim()
    const left = (shown.match(/\p{L}{2,}/gu) ?? []).filter(
      (word) => !sameEverywhere.has(word) && !sameEverywhere.has(word.toUpperCase()),
    )
    if (left.length === 0) return
    found.push(
      `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} "${shown}" stands in the markup: it belongs in messages/`,
    )
  }
  const visit = (node: ts.Node) => {
    if (isUntranslatable(node)) return
    if (ts.isJsxText(node)) report(node, node.text)
    if (ts.isJsxAttribute(node) && shownAttributes.has(node.name.getText())) {
      const value = node.initializer
      const inner = value && ts.isJsxExpression(value) ? value.expression : value
      // A single lower-case word is a catalog key, which its type checks.
      if (inner && ts.isStringLiteralLike(inner) && !/^[a-z][a-zA-Z0-9]*$/.test(inner.text)) report(inner, inner.text)
    }
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      !ts.isJsxAttribute(node.parent)
    ) {
      report(node, node.expression.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

export const noRawTexts: Gate = {
  name: 'no text for users is outside the catalogs',
  run(repository) {
    const { files, read } = repository
    const product = files.filter(
      (file) => /^packages\/(server|gateway|console)\/src\//.test(file) && isSource(file) && !isTest(file),
    )
    return product.flatMap((file) => [
      ...(file.endsWith('.tsx') ? rawLiterals(file, read(file)) : []),
      ...(file in recognised ? [] : matches(repository, file, cjk))
        // A single line may carry the mark itself; longer elements are covered by the syntax check above.
        .filter((line) => !/translate="no"/.test(line))
        .filter((line) => cjk.test(line.replace(ownNames, '')))
        .map((line) => `${line}  (a text of one language)`),
    ])
  },
}

export const changeNotes: Gate = {
  name: 'every release note is a category and one sentence',
  run({ files, read }) {
    return files
      .filter((file) => file.startsWith('changes/') && file !== 'changes/README.md')
      .flatMap((file) => {
        const named = /^\d{4}-\d{2}-\d{2}-[a-z0-9-]+\.md$/.test(basename(file))
          ? []
          : [`${file}: name it <date>-<slug>.md`]
        const text = read(file).trim()
        const one = readNote(text) ? [] : [`${file}: one line, a category and a sentence (see changes/README.md)`]
        return [...named, ...one]
      })
  },
}
