import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'
import { type Gate, isSource } from './gate.ts'
import { typeCycleProblems } from './type-cycles.ts'

const looked = ['packages', 'scripts', 'e2e', 'bench']

/**
 * Checks a tree against the import rules.
 * @param root the tree; its own packages must be resolvable by name from there
 * @param folders folders to check, relative to the root
 */
export async function checkImports(root: string, folders: readonly string[], rules: IConfiguration) {
  const { output } = await cruise([...folders], {
    ...rules.options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: rules.forbidden ?? [] },
  })
  if (typeof output === 'string') throw new Error(output)
  const { modules, summary }: ICruiseResult = output
  return {
    graph: new Map(modules.map((module) => [module.source, module.dependencies.map((one) => one.resolved)])),
    modules: modules.map((module) => module.source),
    problems: summary.violations.map(({ rule, from, to, cycle }) => {
      const reason = rules.forbidden?.find((one) => one.name === rule.name)?.comment ?? ''
      const path = cycle ? cycle.map((step) => step.name).join(' → ') : to
      return `${from} → ${path}  (${rule.name}: ${reason})`
    }),
  }
}

/**
 * Checks the rules in .dependency-cruiser.mjs, and that no file was skipped, because a cruiser that sees no files
 * reports nothing.
 */
export const imports: Gate = {
  name: 'imports follow the architecture',
  async run({ root, files }) {
    const rules = (await import(pathToFileURL(join(root, '.dependency-cruiser.mjs')).href)) as {
      default: IConfiguration
    }
    const { graph, modules, problems } = await checkImports(root, looked, rules.default)
    const seen = new Set(modules)
    const overlooked = files.filter(
      (file) => isSource(file) && looked.includes(file.split('/')[0] ?? '') && !seen.has(file),
    )
    return [
      ...problems,
      ...typeCycleProblems(graph),
      ...overlooked.map((file) => `${file} was not looked at by dependency-cruiser`),
    ]
  },
}
