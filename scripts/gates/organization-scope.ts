import ts from 'typescript'
import { type Gate, isTest, type Repository } from './gate.ts'

const parse = (file: string, text: string) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)

/** The string properties of an object literal. */
function stringsOf(literal: ts.ObjectLiteralExpression): Map<string, string> {
  return new Map(
    literal.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && ts.isStringLiteral(property.initializer)
        ? [[property.name.text, property.initializer.text] as const]
        : [],
    ),
  )
}

function visitAll(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => visitAll(child, visit))
}

/** Tables of resources of scope `org`, also by the name of the variable that holds the resource. */
function organizationTables(repository: Repository, sources: readonly string[]): Map<string, string> {
  const tables = new Map<string, string>()
  for (const file of sources) {
    const text = repository.read(file)
    if (!text.includes("scope: 'org'")) continue
    visitAll(parse(file, text), (node) => {
      if (!ts.isObjectLiteralExpression(node)) return
      const strings = stringsOf(node)
      if (strings.get('scope') !== 'org' || !strings.has('app')) return
      const table = strings.get('table') ?? `${strings.get('app')}_${strings.get('name')}`
      tables.set(table, table)
      const declared = ts.findAncestor(node, ts.isVariableDeclaration)
      if (declared && ts.isIdentifier(declared.name)) tables.set(`${declared.name.text}.table`, table)
    })
  }
  return tables
}

const reads = new Set(['selectFrom', 'updateTable', 'deleteFrom', 'innerJoin', 'leftJoin'])

/** The query that starts at an expression: its text, and what its clauses name as tables. */
function queryAt(start: ts.Node): { text: string; tables: string[] } {
  let end = start
  const tables: string[] = []
  for (;;) {
    const { parent } = end
    if (ts.isPropertyAccessExpression(parent) && parent.expression === end) end = parent
    else if (ts.isCallExpression(parent) && parent.expression === end) {
      if (ts.isPropertyAccessExpression(end) && reads.has(end.name.text) && parent.arguments[0])
        tables.push(parent.arguments[0].getText().replace(/^['`]|['`]$|(['`])? as \w+['`]?$|[${}]/g, ''))
      end = parent
    } else return { text: end.getText(), tables }
  }
}

const namesOrganization = /\borg_id['`],\s*'(?:=|in)'/

export const organizationsAreScoped: Gate = {
  name: 'rows of organizations are read through the repository, or across organizations by name',
  run(repository) {
    const sources = repository.files.filter(
      (file) => /^packages\/server\/src\/modules\/.*\.ts$/.test(file) && !isTest(file),
    )
    const tables = organizationTables(repository, sources)
    return sources.flatMap((file) => {
      const text = repository.read(file)
      if (!text.includes('rawDb')) return []
      const source = parse(file, text)
      const problems: string[] = []
      visitAll(source, (node) => {
        if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'rawDb') return
        const query = queryAt(node)
        const named = query.tables.map((table) => tables.get(table)).find(Boolean)
        if (!named || namesOrganization.test(query.text)) return
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
        problems.push(
          `${file}:${line}: ${named} belongs to organizations: use scoped(), a condition on org_id, or ctx.acrossOrganizations`,
        )
      })
      return problems
    })
  },
}
