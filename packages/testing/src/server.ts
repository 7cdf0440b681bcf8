/** The server in the test's own process. Separate from the product's start, so that a test may look behind the API. */
export { type DatabaseKind, startServer, type TestServer } from '@castellan/server/testing'
