/** Parameters of the methods that change assets. */
import { type FieldInfo, type Metadata, metadataOf } from '../../kit/api/metadata.ts'

/** Metadata of the methods that have parameters. */
export const methodsMetadata = () => metadataOf('/api/v1/assets/platform-automation-methods/')

/** By the id of the method, as they are sent. */
export type ParamsOfMethods = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A method with the metadata of its parameters. */
export interface MethodWithParams {
  id: string
  info: FieldInfo
}

/** Those of the methods that have parameters. */
export function withParams(methods: readonly string[], metadata: Metadata | undefined): MethodWithParams[] {
  const all = metadata?.actions?.GET ?? {}
  return [...new Set(methods)].flatMap((id) => {
    const info = all[id]
    return info && Object.keys(info.children ?? {}).length > 0 ? [{ id, info }] : []
  })
}
