import ts from 'typescript'
import { type Gate, isSource, isTest } from './gate.ts'

/** A name that only the listed files may use, because it is dangerous or would duplicate existing code. */
interface Restriction {
  /** The package that exports the name; absent for a global. */
  from?: string
  names: readonly string[]
  /** Files to which the rule applies. */
  within: RegExp
  allowedIn: readonly RegExp[]
  because: string
}

const restrictions: readonly Restriction[] = [
  {
    from: 'kysely',
    names: ['sql'],
    within: /^packages\/server\/src\//,
    // Each of these builds an expression that both databases understand and uses no text from a request.
    allowedIn: [/^packages\/server\/src\/db\//],
    because: 'raw SQL belongs in db/',
  },
  {
    from: 'node:crypto',
    names: ['createCipheriv', 'createDecipheriv'],
    within: /^packages\/(server|gateway)\/src\//,
    allowedIn: [
      /^packages\/server\/src\/kernel\/security\/secrets\.ts$/,
      /^packages\/gateway\/src\/brokering\//,
      // Values that browsers and components encrypt in the contract's own formats.
      /^packages\/server\/src\/(kernel\/security\/encrypted|modules\/authentication\/component)\.ts$/,
      // Workbooks with a password, in the format of spreadsheet programs.
      /^packages\/server\/src\/kernel\/files\/(un)?protected-workbook\.ts$/,
    ],
    because: 'only kernel/security/secrets.ts encrypts and decrypts secrets',
  },
  {
    from: 'antd',
    names: ['Table', 'Form'],
    within: /^packages\/console\/src\//,
    allowedIn: [/^packages\/console\/src\/kit\//],
    because: 'lists and forms belong to the kit',
  },
  {
    names: ['fetch', 'WebSocket', 'XMLHttpRequest', 'EventSource'],
    within: /^packages\/console\/src\//,
    allowedIn: [/^packages\/console\/src\/(kit\/api|terminal|signin)\//],
    because: 'only the API client calls the API',
  },
  {
    names: ['ssh2.Client'],
    within: /^packages\/(server|gateway)\/src\//,
    allowedIn: [/^packages\/gateway\/src\/testing-shells\.ts$/],
    because: 'targets are reached through packages/connectors',
  },
  {
    names: ['Math.random'],
    within: /^packages\/(server|gateway)\/src\//,
    allowedIn: [],
    because: 'it is predictable; node:crypto is not',
  },
]

function importsOf(source: ts.SourceFile): { from: string; name: string; node: ts.Node }[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return []
    const from = statement.moduleSpecifier.text
    const bindings = statement.importClause?.namedBindings
    if (statement.importClause?.isTypeOnly || !bindings || !ts.isNamedImports(bindings)) return []
    return bindings.elements
      .filter((element) => !element.isTypeOnly)
      .map((element) => ({ from, name: (element.propertyName ?? element.name).text, node: element as ts.Node }))
  })
}

/** Globals that are called, constructed or accessed with a dot. */
function globalsOf(source: ts.SourceFile): { name: string; node: ts.Node }[] {
  const found: { name: string; node: ts.Node }[] = []
  const visit = (node: ts.Node) => {
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && ts.isIdentifier(node.expression)) {
      found.push({ name: node.expression.text, node })
    }
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      found.push({ name: `${node.expression.text}.${node.name.text}`, node })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

export const restrictedImports: Gate = {
  name: 'restricted names are used only where allowed',
  run({ files, read }) {
    const problems: string[] = []
    for (const file of files.filter((one) => isSource(one) && !isTest(one))) {
      const rules = restrictions.filter(
        (rule) => rule.within.test(file) && !rule.allowedIn.some((allowed) => allowed.test(file)),
      )
      if (rules.length === 0) continue
      const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
      const report = (node: ts.Node, name: string, because: string) => {
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
        problems.push(`${file}:${line} uses ${name}: ${because}`)
      }
      for (const { from, name, node } of importsOf(source)) {
        const rule = rules.find((one) => one.from === from && one.names.includes(name))
        if (rule) report(node, `${name} of ${from}`, rule.because)
      }
      for (const { name, node } of globalsOf(source)) {
        const rule = rules.find((one) => !one.from && one.names.includes(name))
        if (rule) report(node, name, rule.because)
      }
    }
    return problems
  },
}
