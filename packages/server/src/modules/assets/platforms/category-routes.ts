import { type AssetCategory, assetCategories } from '@castellan/contract/asset-types'
import { automationMethodsAnswer } from '@castellan/contract/automation-methods'
import { errors } from '@castellan/contract/messages/errors'
import { categoriesAnswer, constraintsFor, typesAnswer } from '@castellan/contract/platforms'
import { protocolsAnswer } from '@castellan/contract/protocols'
import { computed, type Field, json, text } from '../../../kernel/fields/index.ts'
import { columnsFor, importRoute } from '../../../kernel/files/import.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { invalid, text as say } from '../../../kernel/module/errors.ts'
import { fieldsInfo, itemInfo } from '../../../kernel/resource/metadata.ts'
import { methodFields } from './method-fields.ts'
import { customTypes } from './platform-type.ts'

const asked = async (ctx: Context) => ({
  language: ctx.language,
  custom: await customTypes(ctx),
})

const word = () => text({ max: 64 })
const labelFields = { label: word(), value: word() }
const typeFields = { ...labelFields, category: word(), constraints: json() }
const categoryFields: Record<string, Field> = {
  ...labelFields,
  types: computed('field', {
    meta: (ctx) => itemInfo(fieldsInfo(ctx, 'assets', typeFields), { read_only: true }),
  }),
}

const base = '/api/v1/assets/'

/** Categories and types of assets with their constraints. */
export const categoryRoutes = [
  defineRoute({
    method: 'GET',
    path: `${base}categories/`,
    requires: 'valid',
    summary: 'Categories of assets with their types and constraints',
    fields: { GET: categoryFields },
    handle: async ({ ctx }) => categoriesAnswer(await asked(ctx)),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}categories/types/`,
    requires: 'valid',
    summary: 'Every type of asset with its constraints',
    fields: { GET: typeFields },
    handle: async ({ ctx }) => typesAnswer(await asked(ctx)),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}categories/constraints/`,
    requires: 'valid',
    summary: 'The constraints of one type of asset',
    fields: { GET: categoryFields },
    handle: async ({ ctx, request }) => {
      const { category = '', type = '' } = request.query
      const missing = Object.entries({ category, type }).filter(([, value]) => !value)
      if (missing.length > 0) throw invalid(Object.fromEntries(missing.map(([name]) => [name, [say(errors.required)]])))
      if (!(assetCategories as readonly string[]).includes(category)) return {}
      const found = constraintsFor(category as AssetCategory, type, ctx.language, await customTypes(ctx))
      return found ?? { automation: {} }
    },
  }),
  importRoute({
    url: `${base}categories/`,
    title: 'categories of assets',
    requires: 'valid',
    fields: categoryFields,
    columns: columnsFor('assets', labelFields),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}protocols/`,
    requires: 'valid',
    summary: 'Protocols of this edition',
    fields: { GET: labelFields },
    handle: () => protocolsAnswer(),
  }),
  defineRoute({
    method: 'GET',
    path: `${base}platform-automation-methods/`,
    requires: 'valid',
    summary: 'Automation methods with parameters and their defaults; OPTIONS describes the parameters',
    fields: { GET: methodFields() },
    handle: () => automationMethodsAnswer(),
  }),
]
