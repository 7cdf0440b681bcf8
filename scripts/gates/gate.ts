import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A check of the whole repository. It passes when it finds nothing. */
export interface Gate {
  /** A statement that is true when the gate passes. */
  name: string
  /** Returns findings as `file:line what to do`. */
  run(repository: Repository): Promise<string[]> | string[]
}

/** The files of the repository, except ignored ones. */
export interface Repository {
  root: string
  /** Paths relative to the root, with forward slashes, sorted. */
  files: readonly string[]
  read(file: string): string
}

/** Reads the tree; supports only the simple patterns that our own .gitignore uses. */
export function openRepository(root: string): Repository {
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
  const isIgnored = (path: string, name: string) =>
    name === '.git' ||
    ignored.some((pattern) => {
      if (pattern.startsWith('*.')) return name.endsWith(pattern.slice(1))
      const bare = pattern.replace(/\/$/, '')
      return bare.startsWith('/') ? path === bare.slice(1) : name === bare
    })
  const files: string[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name
      if (isIgnored(path, entry.name)) continue
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) files.push(path)
    }
  }
  walk('')
  const texts = new Map<string, string>()
  return {
    root,
    files: files.sort(),
    read(file) {
      const known = texts.get(file)
      if (known !== undefined) return known
      const text = readFileSync(join(root, file), 'utf8')
      texts.set(file, text)
      return text
    },
  }
}

/** An in-memory repository for the gates' own tests. */
export function pretendRepository(texts: Record<string, string>): Repository {
  return { root: '/nowhere', files: Object.keys(texts).sort(), read: (file) => texts[file] ?? '' }
}

export const isSource = (file: string) => /\.(ts|tsx|mts|mjs|js)$/.test(file)
/** Files that a command writes from other sources. */
export const isGenerated = (file: string) => /\.gen\.ts$/.test(file)
export const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** Every match of a pattern, line by line, as `file:line match`. */
export function matches(repository: Repository, file: string, pattern: RegExp): string[] {
  return repository
    .read(file)
    .split('\n')
    .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${line.trim().slice(0, 100)}`] : []))
}

/** Runs a tool on the current runtime and returns its exit code and output. */
export function runTool(root: string, words: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((settle) => {
    execFile(process.execPath, words, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (reason, stdout, stderr) => {
      const code = typeof reason?.code === 'number' ? reason.code : reason ? 1 : 0
      settle({ code, output: `${stdout}${stderr}`.trim() })
    })
  })
}
