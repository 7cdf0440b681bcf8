import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const source = (name: string) => `packages/${name}/src/**/*.test.{ts,tsx}`
/** Vitest leaves a processor to others, which on two is half the machine. */
const everyProcessor = { maxWorkers: '100%' }
const server = { include: [source('server')], testTimeout: 30_000, hookTimeout: 60_000, ...everyProcessor }

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

/** `npm test` runs one project after the other; `npx vitest --project unit` runs one by hand. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            ...['connectors', 'contract', 'ingress', 'gateway', 'console', 'testing'].map(source),
            'packages/console/build/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          testTimeout: 30_000,
          // The readers of terminals wait for real shells most of the time.
          maxWorkers: Math.max(4, availableParallelism()),
        },
      },
      { test: { ...server, name: 'server-sqlite', env: { CASTELLAN_TEST_DATABASE: 'sqlite' } } },
      {
        test: {
          ...server,
          name: 'server-postgresql',
          env: { CASTELLAN_TEST_DATABASE: 'postgresql' },
          globalSetup: 'packages/testing/src/postgres-setup.ts',
        },
      },
      // The files of one process share its product and its browser, one after the other.
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: 'e2e/shared-products.ts',
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
      ...conversations,
    ],
  },
})
