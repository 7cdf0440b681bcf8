import { errors } from '@castellan/contract/messages/errors'
import {
  type Permission,
  permissionByCode,
  permissionById,
  permissionName,
  permissions,
} from '@castellan/contract/permissions'
import { base, type Field } from '../../kernel/fields/field.ts'
import { keyOf, normalSerial } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { quoted, Rejected, reject, text } from '../../kernel/module/errors.ts'

const models = [...new Set(permissions.map((one) => `${one.app}.${one.model}`))]

/** A permission in wire form. */
export function permissionRow(ctx: Context, permission: Permission) {
  const { id, app, model, codename } = permission
  return {
    id,
    name: permissionName(permission, ctx.language),
    content_type: { id: models.indexOf(`${app}.${model}`) + 1, app_label: app, model },
    codename,
  }
}

export const permissionsByCodes = (codes: readonly string[]): Permission[] =>
  codes.flatMap((code) => permissionByCode(code) ?? [])

/** Permissions are sent by number and stored by code, so that roles remain valid when the catalog grows. */
export function permissionsField(): Field<string[], 'own'> {
  return {
    ...base<string[]>('field', { writeOnly: true, order: false, default: [], resets: false }),
    column: { type: 'json' },
    parse: (input) => {
      if (!Array.isArray(input)) return reject(errors.not_a_list, { type: typeof input })
      const codes = input.map((item) => {
        const id = keyOf(item)
        const permission = permissionById(normalSerial(id) ?? 0)
        if (!permission) throw new Rejected([text(errors.does_not_exist, { pk: quoted(id ?? 'None') })])
        return permission.code
      })
      return [...new Set(codes)]
    },
    encode: (value) => JSON.stringify(value ?? []),
    decode: (stored) => (typeof stored === 'string' ? JSON.parse(stored) : stored),
  }
}
