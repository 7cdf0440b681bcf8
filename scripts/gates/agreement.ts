import { dirname, join, normalize } from 'node:path'
import { type Gate, isSource, isTest } from './gate.ts'

interface Manifest {
  name?: string
  version?: string
  license?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export const packagesAgree: Gate = {
  name: 'packages have one version and license, and match the lock file',
  run({ files, read }) {
    const root = JSON.parse(read('package.json')) as Manifest
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Manifest | undefined> }
    const manifests = files.filter(
      (file) => file === 'package.json' || /^(packages\/[^/]+|e2e|bench)\/package\.json$/.test(file),
    )
    // npm ci rejects a lock file that lacks the builds of a package for other systems.
    const paths = Object.keys(lock.packages)
    const incomplete = Object.entries(lock.packages).flatMap(([path, locked]) =>
      Object.keys(locked?.optionalDependencies ?? {})
        .filter((name) => !paths.some((other) => other.endsWith(`node_modules/${name}`)))
        .map(
          (name) =>
            `package-lock.json: ${name}, which ${path || 'the product'} asks for, is missing (npm ci will refuse)`,
        ),
    )
    const disagreements = manifests.flatMap((file) => {
      const manifest = JSON.parse(read(file)) as Manifest
      const locked = lock.packages[file === 'package.json' ? '' : dirname(file)]
      const problems: string[] = []
      if (manifest.version !== root.version)
        problems.push(`${file}: version ${manifest.version}, the product is ${root.version}`)
      if (manifest.license !== root.license)
        problems.push(`${file}: license ${manifest.license}, the product's is ${root.license}`)
      for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
        const sorted = (table: Record<string, string> = {}) => JSON.stringify(Object.entries(table).sort())
        if (sorted(manifest[kind]) !== sorted(locked?.[kind]))
          problems.push(`${file}: its ${kind} are not those of package-lock.json (run npm install)`)
      }
      return problems
    })
    return [...incomplete, ...disagreements]
  },
}

/** Set by the supervisor or by tests, never by operators. */
const internalVariables = new Set([
  'CASTELLAN_ROLE',
  'CASTELLAN_HTTP_SOCKET',
  'CASTELLAN_GATEWAY_HTTP_PORT',
  'CASTELLAN_GATEWAY_HTTP_SOCKET',
  'CASTELLAN_SERVER_URL',
  'CASTELLAN_CONVERSATIONS',
])

export const variablesDocumented: Gate = {
  name: 'docs/configure.md lists exactly the variables that the product reads',
  run({ files, read }) {
    const documented = new Set(
      (files.includes('docs/configure.md') ? read('docs/configure.md') : '').match(/\bCASTELLAN_[A-Z_]+\b/g) ?? [],
    )
    const used = new Map<string, string>()
    for (const file of files.filter(
      (one) => /^(packages\/(server|gateway)\/src|scripts)\//.test(one) && isSource(one) && !isTest(one),
    )) {
      for (const name of read(file).match(/\bCASTELLAN_[A-Z_]+[A-Z]\b/g) ?? []) used.set(name, file)
    }
    const missing = [...used]
      .filter(([name]) => !documented.has(name) && !internalVariables.has(name) && !name.startsWith('CASTELLAN_TEST_'))
      .map(([name, file]) => `${name} (${file}) is not in docs/configure.md`)
    return [
      ...missing,
      ...[...documented]
        .filter((name) => !used.has(name))
        .map((name) => `docs/configure.md names ${name}, which nothing reads`),
    ]
  },
}

export const linksLead: Gate = {
  name: 'links between documents resolve',
  run({ files, read }) {
    const known = new Set(files)
    const folders = new Set(files.map((file) => dirname(file)))
    return files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, target = '']) => {
          if (/^[a-z]+:/.test(target)) return []
          const path = normalize(join(dirname(file), target)).replace(/\/$/, '')
          return known.has(path) || folders.has(path) ? [] : [`${file} links to ${target}, which is not there`]
        }),
      )
  },
}

/** A file or folder by the end of its path, or a test of the browser by its name. */
const namedFile = /^(e2e\/[a-z0-9-]+|bench\/[a-z-]+|\w[\w./-]*\.(?:ts|tsx|css|json|md)|\w[\w./-]*\/)$/

export const coverageNamesFiles: Gate = {
  name: 'docs/spec-coverage names files that exist',
  run({ files, read }) {
    const names = (named: string) => (file: string) => {
      const path = `/${file}`
      if (named.endsWith('/')) return path.includes(`/${named}`)
      return path.endsWith(`/${named}`) || path.replace(/(\.[a-z]+)+$/, '').endsWith(`/${named}`)
    }
    return files
      .filter((file) => file.startsWith('docs/spec-coverage/'))
      .flatMap((file) =>
        [...new Set([...read(file).matchAll(/`([^`\n]+)`/g)].map(([, named = '']) => named))]
          .filter((named) => namedFile.test(named) && !files.some(names(named)))
          .map((named) => `${file} names ${named}, which is not there`),
      )
  },
}
