import { assetCategories } from '@castellan/contract/asset-types'
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Input, Skeleton } from 'antd'
import { useParams, useSearchParams } from 'react-router'
import { call, withQuery } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { FormPage } from '../../kit/form/FormPage.tsx'
import type { FieldSpec, FormSpec, WidgetProps } from '../../kit/form/spec.ts'
import { Failed } from '../../kit/list/states.tsx'
import { type Row, rawOf } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { categoryOf } from './categories.ts'
import { type Constraints, firstValues, type Kind, useConstraints } from './platform-constraints.ts'
import { confirmEffects, platformsUrl } from './platform-effects.tsx'
import { automationFields, automationNames, type PlatformForm, suMethodChoices } from './platform-fields.tsx'

const path = pathOf('PlatformList')

/** Category and type, which follow from how the form was opened. */
const CategoryType = ({ id, aria, field }: WidgetProps) => (
  <Input id={id} {...aria} value={String(field.with?.word ?? '')} readOnly disabled />
)

const half: FieldSpec = { layout: { half: true } }

function formOf(kind: Kind, constraints: Constraints, word: string): FormSpec<PlatformForm> {
  const isCustom = kind.category === 'custom'
  const isNew = kind.type === ''
  return {
    url: withQuery(platformsUrl, { category: kind.category, type: kind.type || undefined }),
    path,
    resource: 'assets.platform',
    noun: 'platform',
    initial: () => firstValues(constraints),
    groups: [
      {
        key: 'basic',
        title: 'groupBasic',
        fields: ['name', 'category_type', ...(isNew ? (['type'] as const) : []), 'charset', 'domain_enabled'],
      },
      { key: 'config', title: 'groupConnection', fields: ['protocols', 'su_enabled', 'su_method'] },
      { key: 'fields', title: 'groupCustom', help: 'platformFieldsHelp', fields: ['custom_fields'], visible: isCustom },
      { key: 'automation', title: 'automation', help: 'platformAutomationHelp', fields: automationNames },
      { key: 'other', title: 'groupOther', fields: ['comment'] },
    ],
    fields: {
      ...automationFields(constraints),
      name: { layout: { half: true } },
      category_type: {
        label: 'categoryType',
        component: CategoryType,
        layout: { half: true },
        with: { word },
        sending: { local: true },
      },
      type: { widget: 'text', validation: { required: true }, texts: { help: 'platformNewTypeHelp' } },
      charset: { state: { hidden: () => constraints.charset_enabled !== true } },
      domain_enabled: { state: { disabled: constraints.domain_enabled !== true } },
      protocols: {
        widget: 'protocols',
        validation: { required: true },
        texts: { help: 'platformProtocolsHelp' },
        with: { choices: constraints.protocols ?? [], mode: 'platform', named: isCustom },
      },
      su_enabled: { state: { disabled: constraints.su_enabled !== true } },
      su_method: {
        choices: { options: suMethodChoices(constraints) },
        state: { hidden: (values) => values.su_enabled !== true },
      },
      custom_fields: { widget: 'repeat' },
      ...Object.fromEntries(['name', 'label', 'type', 'help_text'].map((name) => [`custom_fields.*.${name}`, half])),
      'custom_fields.*.default': { ...half, texts: { help: false } },
      'custom_fields.*.choices': { ...half, texts: { help: 'platformChoicesHelp' } },
    },
    submit: {
      clean: async (body, _values, { id }) => {
        const sent = {
          ...body,
          category: kind.category,
          type: kind.type || body.type,
          ...(isNew ? { new_type: true } : {}),
        }
        if (id) await confirmEffects(id, sent)
        return sent
      },
    },
    saved: { to: () => path },
  }
}

/** The category and type that the address names; of the platform itself when it exists. */
function useKind(id: string | undefined): { kind?: Kind; word?: string; error: Error | null; retry: () => void } {
  const [query] = useSearchParams()
  const source = id ?? query.get('clone_from') ?? undefined
  const category = assetCategories.find((one) => one === query.get('category')) ?? 'host'
  const read = useQuery({
    queryKey: ['platform-kind', source, ...audience()],
    enabled: source !== undefined,
    queryFn: () => call<Row>(`${platformsUrl}${source}/`, { quiet: true }),
  })
  const retry = () => void read.refetch()
  if (source === undefined) {
    const type = query.get('type') ?? (category === 'host' ? 'linux' : '')
    return { kind: { category, type }, error: null, retry }
  }
  const row = read.data
  return {
    kind: row && { category: categoryOf(row), type: String(rawOf(row.type)) },
    error: read.error,
    retry,
  }
}

interface NamedCategory {
  value: string
  label: string
  types: readonly { value: string; label: string }[]
}

/** "Host / Linux", in the user's language. */
function useWord(kind: Kind | undefined): string {
  const categories = useQuery({
    queryKey: ['categories', ...audience()],
    queryFn: () => call<NamedCategory[]>('/api/v1/assets/categories/', { quiet: true }),
  })
  const category = categories.data?.find(({ value }) => value === kind?.category)
  const type = category?.types.find(({ value }) => value === kind?.type)
  return [category?.label ?? (kind && t(`${kind.category}s`)), type?.label ?? kind?.type].filter(Boolean).join(' / ')
}

/** Create or change a platform. Its type decides what can be switched on. */
export default function PlatformFormPage() {
  const { id } = useParams()
  const { kind, error, retry } = useKind(id)
  const constraints = useConstraints(kind)
  const word = useWord(kind)
  const failed = error ?? constraints.error
  if (failed)
    return (
      <Failed
        error={failed}
        retry={() => {
          retry()
          void constraints.refetch()
        }}
      />
    )
  if (!kind || !constraints.data)
    return (
      <div className="page">
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  return <FormPage key={`${kind.category} ${kind.type}`} spec={formOf(kind, constraints.data, word)} />
}
