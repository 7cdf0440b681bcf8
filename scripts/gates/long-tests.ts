import ts from 'typescript'
import { type Gate, isTest } from './gate.ts'

/** What a test may take; one that hangs for longer costs minutes before it is seen. Milliseconds. */
const usual = 30_000

/** Files whose tests may take longer, with the reason. */
const longer: Readonly<Record<string, string>> = {
  'e2e/contract-screens.test.ts': 'compares the names on every screen of the v3 console in one walk',
  'e2e/form-controls.test.ts': 'the first page waits until its gallery is built',
  'e2e/protocols/playbook-run.test.ts': 'waits for the lease of a killed worker, and Ansible starts a row of programs',
  'e2e/screens.test.ts': 'opens every screen, and in a whole run asks axe about each',
  'packages/server/src/kernel/files/locked-table.test.ts': 'a dozen keys of a hundred thousand rounds each',
  'packages/server/src/kernel/jobs/crash.test.ts': 'kills a worker at each of its commits',
  'packages/server/src/kernel/resource-conformance/foreign-reads.test.ts':
    'in a whole run, every route as seven callers',
  'packages/server/src/kernel/resource-conformance/foreign-writes.test.ts':
    'in a whole run, every route as five callers',
  'packages/server/src/kernel/resource-conformance/permission-matrix.test.ts':
    'in a whole run, every route as every caller',
  'packages/server/src/modules/accounts/rotation/rotation-crash.test.ts': 'kills a worker at each of its commits',
  'packages/server/src/modules/applets/applets.test.ts': 'archives that expand to their limits',
  'packages/server/src/modules/ops/playbook-run/playbook-run.test.ts': 'Ansible starts a row of programs for each task',
  'packages/server/src/modules/rbac/single-rights.test.ts': 'without a seed every right alone, by fifty calls each',
}

/** Times above the usual that a file gives to a test, a hook or a wait, as `line: milliseconds`. */
function longTimes(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const note = (node: ts.Node | undefined) => {
    if (!node || !ts.isNumericLiteral(node) || Number(node.text) <= usual) return
    found.push(`${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${node.text} ms`)
  }
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText(source) === 'timeout') note(node.initializer)
    else if (ts.isCallExpression(node) && node.arguments.slice(0, -1).some(isFunction)) note(node.arguments.at(-1))
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

const isFunction = (node: ts.Node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node)

export const fewLongTests: Gate = {
  name: 'tests that may take longer than 30 seconds are named with their reason',
  run({ files, read }) {
    const long = new Map(
      files
        .filter((file) => isTest(file) || file.endsWith('.check.ts'))
        .map((file) => [file, longTimes(file, read(file))] as const)
        .filter(([, times]) => times.length > 0),
    )
    return [
      ...[...long]
        .filter(([file]) => !(file in longer))
        .flatMap(([file, times]) =>
          times.map((time) => `${file}:${time}; let it wait less, or give the reason in scripts/gates/long-tests.ts`),
        ),
      ...Object.keys(longer)
        .filter((file) => !long.has(file))
        .map((file) => `scripts/gates/long-tests.ts: ${file} takes no longer than others`),
    ]
  },
}
