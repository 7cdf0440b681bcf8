import { join } from 'node:path'
import { type Gate, runTool } from './gate.ts'

/** Formatter and linter; warnings are failures, so that they are not ignored. */
export const biome: Gate = {
  name: 'Biome finds nothing',
  async run({ root }) {
    const words = ['ci', '--error-on-warnings', '--max-diagnostics=50', '--colors=off', '.']
    const { code, output } = await runTool(root, [join(root, 'node_modules/@biomejs/biome/bin/biome'), ...words])
    return code === 0 ? [] : [output]
  },
}

/**
 * One gate for each tsconfig.json. What runs on Node.js is one program, so that each file is checked once; folders whose
 * libraries bring the types of browsers have their own. The native compiler checks, the other one (`typescript`) has the
 * API that gates read sources with.
 */
export function typeChecks(files: readonly string[]): Gate[] {
  return files
    .filter((file) => /^(packages\/[^/]+\/|e2e\/)?tsconfig\.json$/.test(file))
    .map((config) => ({
      name: `types are right: ${config === 'tsconfig.json' ? 'everything else' : config.slice(0, -'/tsconfig.json'.length)}`,
      async run({ root }) {
        const seen = join(root, 'node_modules/.cache/tsc', `${config.replaceAll('/', '-')}.tsbuildinfo`)
        const words = ['-p', config, '--incremental', '--tsBuildInfoFile', seen, '--pretty', 'false']
        const { code, output } = await runTool(root, [join(root, 'node_modules/typescript-native/bin/tsc'), ...words])
        return code === 0 ? [] : output.split('\n')
      },
    }))
}
