/** Reads the YAML of a playbook's files, in the thread of parsers; see `playbook-syntax.ts`. */
import { isAlias, isMap, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import { isEntry } from './playbook-file.ts'

/** What is wrong: in the words of the parser, or one of our own texts. */
export interface YamlProblem {
  /** From 1; absent where a file as a whole is wrong. */
  readonly line?: number
  readonly reason: string | { readonly known: 'playbook_empty' | 'play_without_hosts' }
}

/** Problems that are listed. */
const mostProblems = 50
const longestReason = 200

/** The documents of a text, and where it is no YAML. */
function yamlOf(content: string) {
  const lines = new LineCounter()
  // Nothing is resolved: neither tags, of which Ansible has its own, nor aliases, which could be a bomb.
  const parsed = parseAllDocuments(content, { lineCounter: lines, logLevel: 'silent', uniqueKeys: false })
  const documents = Array.isArray(parsed) ? parsed : []
  const all = documents.flatMap((document) => document.errors)
  // The library catches the failures of its own recursion.
  if (all.some(({ message }) => message.startsWith('Maximum call stack'))) throw new RangeError('nested too deep')
  const errors = all.slice(0, mostProblems).map(({ message, pos }) => ({
    line: lines.linePos(pos[0]).line,
    reason: (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '').slice(0, longestReason),
  }))
  return { documents, lines, errors }
}

/** Problems of one file. An entry file is a list of plays: each is on hosts, or imports another playbook. */
export function yamlProblems(path: string, content: string): YamlProblem[] {
  const { documents, lines, errors } = yamlOf(content)
  if (errors.length > 0 || !isEntry(path)) return errors
  const [first] = documents
  const plays = first?.contents
  if (!isSeq(plays) || plays.items.length === 0) return [{ reason: { known: 'playbook_empty' } }]
  const found: YamlProblem[] = []
  for (const play of plays.items) {
    if (isAlias(play)) continue
    const line = lines.linePos(play.range[0]).line
    const names = ['hosts', 'import_playbook', 'ansible.builtin.import_playbook']
    if (!isMap(play) || !names.some((name) => play.has(name)))
      found.push({ line, reason: { known: 'play_without_hosts' } })
    if (found.length >= mostProblems) break
  }
  return found
}

/** The first error in the YAML of a file, in the words of the parser; undefined when there is none. */
export function firstYamlError(content: string): { line: number; reason: string } | undefined {
  return yamlOf(content).errors[0]
}
