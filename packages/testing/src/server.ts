/** The server in the test's own process. Separate from the product's start, so that a test can access its internals. */
export { type DatabaseKind, startServer, type TestServer } from '@castellan/server/testing'
