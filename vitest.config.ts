import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { postgresFiles, serverFolder } from './scripts/tests/projects.ts'

const source = (name: string) => `packages/${name}/src/**/*.test.{ts,tsx}`
/** One more than there are processors: many files wait for programs that start, are killed, or hold a lease. */
const everyProcessor = { maxWorkers: availableParallelism() + 1 }
/** A test says which parts of the machine it needs, also where all of them are there. */
const declaredParts = 'packages/testing/src/declared-parts.ts'
/** Ends what hangs. What needs longer is named with its reason in scripts/gates/long-tests.ts. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000 }

/**
 * The server's files share the modules of their worker: loading them costs more than most files take. What a program
 * remembers belongs to its installation (`perInstallation`), never to a module.
 */
const server = {
  include: [source('server')],
  isolate: false,
  setupFiles: declaredParts,
  // What a failed test left behind must not reach the next file.
  restoreMocks: true,
  unstubEnvs: true,
  ...patience,
  ...everyProcessor,
}

/** The server's files that this run has on PostgreSQL: all of them where one is run by hand. */
const onPostgres = () => {
  const files = globSync(`${serverFolder}**/*.test.ts`, { cwd: import.meta.dirname })
  return postgresFiles(files.map((file) => file.replaceAll('\\', '/').slice(serverFolder.length)))
}

/** The files of one process share its product and its browser, one after the other. */
const product = {
  globalSetup: 'e2e/shared-products.ts',
  setupFiles: declaredParts,
  isolate: false,
  ...patience,
  maxWorkers: availableParallelism() + 1,
}

/** Files that take longer than others of their size, most of the time waiting: the last to begin would run alone. */
const long = [
  'e2e/contract-screens.test.ts',
  'e2e/form-controls.test.ts',
  'e2e/protocols.test.ts',
  'e2e/protocols/hanging-targets.test.ts',
  'e2e/protocols/limits.test.ts',
  'e2e/protocols/outages.test.ts',
  'e2e/protocols/playbook-run.test.ts',
  'e2e/screens.test.ts',
  'e2e/protocols/start.test.ts',
  'kernel/jobs/crash.test.ts',
  'kernel/resource-conformance/resources.test.ts',
  'rules/command-attacks.test.ts',
  'rules/command-harmless.test.ts',
  'rules/command-reader-programs.test.ts',
  'rules/command-reader.test.ts',
]
const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(name))

/** Begins with what takes longest. Vitest goes by the size of a file until it has seen how long it takes. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...byProject.values()].flatMap((all) => [...all.filter(isLong), ...all.filter((file) => !isLong(file))])
  }
}

/** The recorded conversations are no part of this repository: their project is there where their folder is named. */
const conversations = process.env.CASTELLAN_CONVERSATIONS
  ? [
      {
        test: {
          name: 'conversations',
          include: ['e2e/*.check.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ]
  : []

/** `npm test` runs the projects; `npx vitest run --project unit <file>` runs one by hand. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            ...['connectors', 'contract', 'ingress', 'gateway', 'console', 'testing'].map(source),
            'packages/console/build/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          setupFiles: declaredParts,
          ...patience,
          // The readers of terminals wait for real shells most of the time.
          maxWorkers: Math.max(4, availableParallelism()),
        },
      },
      { test: { ...server, name: 'server-sqlite', env: { CASTELLAN_TEST_DATABASE: 'sqlite' } } },
      {
        test: {
          ...server,
          name: 'server-postgresql',
          include: onPostgres().map((file) => serverFolder + file),
          env: { CASTELLAN_TEST_DATABASE: 'postgresql' },
          globalSetup: 'packages/testing/src/postgres-setup.ts',
        },
      },
      // Programs without a browser: they wait most of the time, and run beside the tests of a database.
      { test: { ...product, name: 'protocols', include: ['e2e/protocols/*.test.ts'] } },
      {
        test: {
          ...product,
          name: 'browser',
          include: ['e2e/*.test.ts'],
          setupFiles: [declaredParts, 'e2e/failed-windows.ts'],
          // Pages wait for answers and frames a third of the time; side by side they take longer than alone.
          maxWorkers: availableParallelism() + 2,
          testTimeout: 60_000,
        },
      },
      ...conversations,
    ],
  },
})
