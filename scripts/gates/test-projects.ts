import { onBothDatabases, onPostgresBySample, postgresUse, serverFolder, withoutPostgres } from '../tests/projects.ts'
import { type Gate, isTest } from './gate.ts'

const lists = 'scripts/tests/projects.ts'

/** A new folder of tests has to say what PostgreSQL has to do with it, and no entry outlives what it names. */
export const postgresIsDecided: Gate = {
  name: 'every test file of the server says whether it runs on PostgreSQL',
  run({ files }) {
    const tests = files
      .filter((file) => file.startsWith(serverFolder) && isTest(file))
      .map((file) => file.slice(serverFolder.length))
    const lost = [
      ...[...onBothDatabases, ...onPostgresBySample].filter((folder) => !tests.some((file) => file.startsWith(folder))),
      ...Object.keys(withoutPostgres).filter((file) => !tests.includes(file)),
    ]
    return [
      ...tests
        .filter((file) => !postgresUse(file))
        .map((file) => `${serverFolder}${file} is in no list of ${lists}: does it run on PostgreSQL?`),
      ...lost.map((entry) => `${lists}: ${entry} names no test file`),
      ...Object.entries(withoutPostgres)
        .filter(([, reason]) => reason.trim() === '')
        .map(([file]) => `${lists}: ${file} has no reason`),
    ]
  },
}

/** Programs and pages are told apart by their folder: those without a browser run beside the database's tests. */
export const browsersHaveTheirFolder: Gate = {
  name: 'tests in e2e/protocols/ use no browser',
  run({ files, read }) {
    return files
      .filter((file) => file.startsWith('e2e/protocols/') && /testing\/browser'|playwright-core/.test(read(file)))
      .map((file) => `${file} uses a browser: it belongs in e2e/`)
  },
}
