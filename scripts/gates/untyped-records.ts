import ts from 'typescript'
import { type Gate, isTest, type Repository } from './gate.ts'
import { shrinking } from './shrinking.ts'

/** Names under which `Record<string, any>` is used: what is read of such a value has no type. */
const aliases = new Set(['AnyRow'])

const isRecordOfAny = (node: ts.TypeReferenceNode) =>
  node.typeName.getText() === 'Record' && node.typeArguments?.[1]?.kind === ts.SyntaxKind.AnyKeyword

/** How often types without fields are used in the sources of a package, by the package. */
export function untypedRecords({ files, read }: Repository): string[] {
  return files
    .filter((file) => /^packages\/[a-z]+\/src\/.*\.tsx?$/.test(file) && !isTest(file))
    .flatMap((file) => {
      const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
      const name = file.split('/')[1] ?? ''
      const found: string[] = []
      const visit = (node: ts.Node) => {
        if (ts.isTypeReferenceNode(node) && (isRecordOfAny(node) || aliases.has(node.typeName.getText())))
          found.push(name)
        ts.forEachChild(node, visit)
      }
      visit(source)
      return found
    })
}

export const fewUntypedRecords: Gate = {
  name: 'values without a type become fewer',
  run: (repository) =>
    shrinking(
      repository,
      'untyped-records',
      untypedRecords(repository),
      (name) => `packages/${name} uses AnyRow or Record<string, any> once more: use the type of the resource`,
    ),
}
