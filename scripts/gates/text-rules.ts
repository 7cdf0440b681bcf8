import { dirname } from 'node:path'
import { type Gate, isGenerated, isSource, isTest, matches } from './gate.ts'

/** Words that disable a check. Concatenated, so that this file does not find itself. */
const withReason = [
  { word: `biome${'-'}ignore`, reason: /biome-ignore[^:]*:\s*\S.{9,}/ },
  { word: `@ts${'-'}expect-error`, reason: /@ts-expect-error\W+\S.{9,}/ },
]
const never = new RegExp(`@ts${'-'}ignore|@ts${'-'}nocheck|eslint${'-'}disable`)
const putOff = new RegExp(`\\b(TO${'DO'}|FIX${'ME'}|HA${'CK'}|XX${'X'})\\b(?!: .{10,})`)

export const suppressions: Gate = {
  name: 'disabled checks give a reason',
  run(repository) {
    const sources = repository.files.filter((file) => isSource(file) || file.endsWith('.css'))
    return sources.flatMap((file) => [
      ...withReason.flatMap(({ word, reason }) =>
        matches(repository, file, new RegExp(word)).filter((line) => !reason.test(line)),
      ),
      ...matches(repository, file, never),
      ...matches(repository, file, putOff),
    ])
  },
}

/** The one file that may skip: `describeWith` and `itWith` name what is missing, and fail where all parts are demanded. */
const skips = 'packages/testing/src/parts.ts'

export const switchedOff: Gate = {
  name: 'tests are only skipped by describeWith and itWith, which name what they need',
  run(repository) {
    const chained = /\b(it|test|describe|suite|bench)(\.\w+)*\.(skip|only|todo|skipIf|runIf|fails)\b/
    const within = /\b(ctx|context|task|t)\.skip\(|\{ skip \}|\b(skip|only|todo): true\b|\bx(it|test|describe)\(/
    const files = repository.files.filter((file) => isSource(file) && file !== skips)
    return files
      .filter((file) => isTest(file) || /^(e2e|packages\/testing)\/|\.check\.ts$/.test(file))
      .flatMap((file) => [...matches(repository, file, chained), ...matches(repository, file, within)])
      .map((line) => `${line} ← use describeWith or itWith of @castellan/testing/parts`)
  },
}

const longest = 500
/** Known files that are too long; the numbers may only decrease. */
const longFiles: Record<string, number> = {}

export const length: Gate = {
  name: `no file is longer than ${longest} lines`,
  run: (repository) => tooLong(repository, longFiles),
}

/** @param known files allowed to be too long, with their length; an unnecessary entry is a finding too */
export function tooLong({ files, read }: Parameters<Gate['run']>[0], known: Record<string, number>): string[] {
  const checked = files.filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && !isGenerated(file))
  const problems = checked.flatMap((file) => {
    const lines = read(file).split('\n').length - 1
    const allowed = known[file]
    if (allowed === undefined)
      return lines > longest ? [`${file} has ${lines} lines: does it still have one subject?`] : []
    if (lines > allowed) return [`${file} has ${lines} lines, ${allowed} were known: it may only get shorter`]
    return lines < allowed
      ? [`${file} has ${lines} lines: lower its number in the list of known long files, or remove it`]
      : []
  })
  const gone = Object.keys(known).filter((file) => !files.includes(file))
  return [...problems, ...gone.map((file) => `${file} is gone: remove it from the list of known long files`)]
}

export const folderNames: Gate = {
  name: 'no folder is a catch-all',
  run({ files }) {
    const drawers = new Set(['utils', 'util', 'common', 'helpers', 'helper', 'misc', 'shared', 'lib'])
    // An app of the contract: /api/v1/common/.
    const named = /^packages\/(server\/src\/modules|console\/src\/screens)\/common$/
    const folders = new Set(files.map((file) => dirname(file)).filter((folder) => !named.test(folder)))
    return [...folders]
      .filter((folder) => folder.split('/').some((name) => drawers.has(name)))
      .map((folder) => `${folder}: what is in it belongs to its subject`)
  },
}

export const noMachinePaths: Gate = {
  name: 'no file contains a path of this machine or a download URL',
  run(repository) {
    const { root, files, read } = repository
    const parent = dirname(root)
    // Common folders exist on every machine; only a more specific path of the checkout would reveal a machine.
    const shared = ['/', '/tmp', '/var/tmp', '/home', '/root', '/src', '/build', '/mnt', '/opt']
    const places = [`${root}/`, ...(shared.includes(parent) ? [] : [`${parent}/`])]
    const named = files
      .filter((file) => !/\.(png|jpg|woff2?|ico|xlsx|gz)$/.test(file))
      .flatMap((file) => {
        const text = read(file)
        return places.some((place) => text.includes(place))
          ? [`${file} names ${places.find((place) => text.includes(place))}`]
          : []
      })
    const lock = files.includes('package-lock.json')
      ? matches(repository, 'package-lock.json', /"resolved": "(?!packages\/|e2e|bench)/)
      : []
    const npmrc = files.includes('.npmrc') ? matches(repository, '.npmrc', /registry\s*=/) : []
    return [...named, ...lock.slice(0, 5), ...npmrc]
  },
}
