// Which part may import which (the tree in CONTRIBUTING.md draws the architecture). `npm test` runs it through scripts/gates/imports.ts,
// which also fails when fewer modules were looked at than there are files.
const tests = '\\.test\\.tsx?$'
const testSupport = `(${tests}|^packages/testing/|^packages/(server|gateway)/src/testing)`

/**
 * A package or built-in that only the named folders may import, because it is dangerous or would become a second way.
 * @param {string} name @param {string} what @param {string[]} allowedIn @param {string} comment
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const restrictImport = (name, what, allowedIn, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: '^packages/(server|gateway|console|contract)/src/', pathNot: [...allowedIn, testSupport] },
  to: { path: what },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A circle cannot be understood in parts. (Circles of types alone: scripts/gates/type-cycles.ts.)',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      comment: 'Nobody imports it and it is no entry: dead code.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          tests,
          '\\.d\\.ts$',
          '(^|/)(vite|vitest|playwright)\\.config\\.ts$',
          '^packages/(server|gateway)/src/main\\.ts$',
          '^packages/server/src/(new-migration|issue-license)\\.ts$',
          '^packages/(server|gateway)/src/index\\.ts$',
          '^packages/contract/src/',
          '^packages/testing/src/',
          '^packages/console/build/',
          '^(e2e|bench|scripts)/',
          '^\\.dependency-cruiser\\.mjs$',
        ],
      },
      to: {},
    },
    {
      name: 'not-resolvable',
      comment: 'An import that leads nowhere fails only when that line is reached.',
      severity: 'error',
      from: {},
      // Vite makes the modules whose names begin with `virtual:`.
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'packages-by-their-exports',
      comment: 'A path into another package goes around what it exports.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/', dependencyTypes: ['local'] },
    },
    {
      name: 'contract-stands-alone',
      comment: 'Every side agrees on the contract, so it may depend on none.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: { path: '^packages/(?!contract/)' },
    },
    {
      name: 'contract-runs-in-the-browser',
      comment: 'The browser loads the contract: no Node.js built-in.',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'testing-only-from-tests',
      comment: 'What starts products and targets for tests must not get into the product.',
      severity: 'error',
      from: { path: '^packages/', pathNot: [testSupport, '^packages/testing/'] },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'testing-starts-from-outside',
      comment:
        'What all tests share starts programs; what needs the inside of the server is in packages/server/src/testing.',
      severity: 'error',
      from: { path: '^packages/testing/' },
      to: { path: '^packages/(server|gateway|console)/' },
    },
    {
      name: 'db-below-everything',
      comment: 'db knows the contract only.',
      severity: 'error',
      from: { path: '^packages/server/src/db/', pathNot: tests },
      to: { path: '^packages/server/src/', pathNot: '^packages/server/src/db/' },
    },
    {
      name: 'kernel-knows-no-module',
      comment: 'Modules stand on the kernel, never the other way round.',
      severity: 'error',
      from: { path: '^packages/server/src/kernel/', pathNot: tests },
      to: { path: '^packages/server/src/', pathNot: '^packages/server/src/((db|kernel)/|config\\.ts$)' },
    },
    {
      name: 'modules-through-their-index',
      comment: 'A module reaches another one only through that module’s index.ts.',
      severity: 'error',
      from: { path: '^packages/server/src/modules/([^/]+)/' },
      to: {
        path: '^packages/server/src/modules/',
        pathNot: ['^packages/server/src/modules/$1/', '^packages/server/src/modules/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'only-main-lists-modules',
      comment: 'One place says which modules there are.',
      severity: 'error',
      from: {
        path: '^packages/server/src/',
        pathNot: [
          '^packages/server/src/(modules|issue-license|reset-password)\\.ts$',
          '^packages/server/src/modules/',
          testSupport,
        ],
      },
      to: { path: '^packages/server/src/modules/' },
    },
    {
      name: 'protocols-under-the-broker',
      comment: 'A protocol speaks to its target and to the broker; the broker speaks to the server.',
      severity: 'error',
      from: { path: '^packages/gateway/src/protocols/([^/]+)/', pathNot: tests },
      to: {
        path: '^packages/gateway/src/',
        pathNot: ['^packages/gateway/src/protocols/$1/', '^packages/gateway/src/(brokering/|log\\.ts$)'],
      },
    },
    {
      name: 'broker-knows-no-protocol',
      comment: 'Adapters are registered in main.ts; rules in the broker hold for all of them.',
      severity: 'error',
      from: { path: '^packages/gateway/src/(brokering|rules|recording|server-client)/', pathNot: tests },
      to: { path: '^packages/gateway/src/protocols/' },
    },
    {
      name: 'kit-knows-no-screen',
      comment: 'The kit is generic, or it is no kit.',
      severity: 'error',
      from: { path: '^packages/console/src/kit/', pathNot: tests },
      to: { path: '^packages/console/src/(domain|screens|app|signin|terminal)/' },
    },
    {
      name: 'browser-knows-no-kit',
      comment: 'Focus, storage and media of the browser serve every entry, also those without the kit.',
      severity: 'error',
      from: { path: '^packages/console/src/browser/', pathNot: tests },
      to: { path: '^packages/console/src/(kit|domain|screens|app|signin|terminal)/' },
    },
    {
      name: 'domain-on-the-kit',
      comment: 'Parts shared by the screens of an app know no screen and no entry.',
      severity: 'error',
      from: { path: '^packages/console/src/domain/', pathNot: tests },
      to: { path: '^packages/console/src/(screens|app|signin|terminal)/' },
    },
    {
      name: 'screens-on-the-kit',
      comment: 'A screen stands on the kit and the contract, not on another screen or on the shell.',
      severity: 'error',
      from: { path: '^packages/console/src/screens/([^/]+)/', pathNot: tests },
      to: {
        path: '^packages/console/src/(screens|app|signin|terminal)/',
        pathNot: '^packages/console/src/screens/$1/',
      },
    },
    {
      name: 'app-through-screens-index',
      comment: 'The shell learns of screens from screens/<app>/index.ts.',
      severity: 'error',
      from: { path: '^packages/console/src/app/', pathNot: tests },
      to: { path: '^packages/console/src/screens/', pathNot: '^packages/console/src/screens/[^/]+/index\\.tsx?$' },
    },
    {
      name: 'programs-stay-apart',
      comment: 'Server, gateway and console agree on the contract and on nothing else.',
      severity: 'error',
      from: { path: '^packages/(server|gateway|console)/src/', pathNot: tests },
      to: { path: '^packages/(server|gateway|console)/', pathNot: '^packages/$1/' },
    },
    restrictImport(
      'one-http-server',
      'node_modules/(fastify|@fastify)/',
      ['^packages/server/src/kernel/(http/|gateway-tunnel\\.ts$)', '^packages/server/src/application\\.ts$'],
      'Routes are registered through the kernel, which demands a permission.',
    ),
    restrictImport(
      'one-database-access',
      '(^sqlite$|node:sqlite|node_modules/pg/)',
      ['^packages/server/src/db/'],
      'No module mentions a dialect.',
    ),
    restrictImport(
      'databases-as-assets',
      'node_modules/(mysql2|ioredis|mongodb|tedious|oracledb)/',
      [],
      'The connectors quote names and secrets, bound answers and keep secrets out of errors.',
    ),
    restrictImport(
      'no-processes',
      '^(node:)?child_process$',
      ['^packages/server/src/modules/ops/(tools/program|playbook-run/sandbox)\\.ts$'],
      'Programs are started by the supervisor, by the network tools with checked arguments, and for playbooks in isolation.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts'],
    },
    moduleSystems: ['es6', 'cjs'],
  },
}
