import { pathOf } from '@castellan/contract/routes'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { CalendarClock, CirclePlay, Minus } from 'lucide-react'
import { useMobile } from '../../../browser/media.ts'
import { assetSource, userSource } from '../../../domain/acls/rule-attributes.ts'
import { call } from '../../../kit/api/client.ts'
import { attempt } from '../../../kit/api/errors.ts'
import { Words } from '../../../kit/cells.tsx'
import type { DetailContext, DetailSpec } from '../../../kit/detail/DetailPage.tsx'
import { RelationCard } from '../../../kit/detail/RelationCard.tsx'
import type { FormSpec } from '../../../kit/form/spec.ts'
import { ListView } from '../../../kit/list/ListView.tsx'
import { inside, type ListSpec } from '../../../kit/list/spec.ts'
import { number, type Row, rowsIn, wordOf, wordsOf } from '../../../kit/row.ts'
import { can, code, inRoot, rights } from '../../../kit/session.ts'
import { t } from '../../../kit/text.ts'
import { toast } from '../../../kit/toast.ts'
import { execute, executeAction, executionList, whyIdle } from './executions.tsx'
import type { AutomationScreens } from './screens.ts'

const nodeSource = {
  url: '/api/v1/assets/nodes/',
  label: (row: Row) => String(row.full_value ?? row.name),
}

/** The list of plans. */
export function planList(screens: AutomationScreens): ListSpec {
  const base = pathOf(screens.create).replace('/create', '')
  return {
    id: screens.plansTab,
    url: screens.url,
    resource: screens.resource,
    path: base,
    noun: screens.noun,
    texts: { empty: screens.empty },
    columns: {
      shown: ['name', ...screens.columns],
      exclude: ['type'],
      fixed: ['name'],
      cells: {
        nodes: { width: 220, render: (row) => <Words of={wordsOf(row.nodes)} most={2} /> },
        assets: { width: 220, render: (row) => <Words of={wordsOf(row.assets)} most={2} /> },
        accounts: { width: 180, render: (row) => <Words of={(row.accounts as string[]) ?? []} most={3} /> },
        secret_strategy: { width: 150 },
        is_periodic: { width: 130 },
        periodic_display: { width: 190 },
        executed_amount: {
          width: 110,
          align: 'right',
          render: (row) =>
            can(code(screens.executionResource, 'view')) ? (
              <a href={`#${pathOf(screens.list)}?activeTab=${screens.executionsTab}&automation_id=${row.id}`}>
                {number(Number(row.executed_amount ?? 0))}
              </a>
            ) : (
              number(Number(row.executed_amount ?? 0))
            ),
        },
        is_active: { falseWord: t('disabled'), width: 110 },
      },
    },
    row: { icon: () => <CalendarClock size={16} className="kind" /> },
    actions: {
      create: { label: screens.createLabel },
      ...(screens.manyPlans ? {} : { clone: false }),
      row: [executeAction(screens)],
    },
    files: { import: false, export: false },
    bulk: screens.manyPlans ? {} : false,
  }
}

/** The form of a plan: what it works on, when, and the rest. */
export const planForm = (screens: AutomationScreens): FormSpec => ({
  url: screens.url,
  resource: screens.resource,
  noun: screens.noun,
  path: `${pathOf(screens.list)}?activeTab=${screens.plansTab}`,
  saved: { detail: (saved) => pathOf(screens.detail, saved.id) },
  initial: screens.initial,
  groups: (context) => [
    ...screens.formGroups.first(context),
    { key: 'timing', title: 'planSchedule', fields: ['is_periodic', 'crontab', 'interval'] },
    ...screens.formGroups.last,
  ],
  fields: {
    nodes: { source: nodeSource },
    assets: { source: assetSource },
    recipients: { source: { ...userSource, url: `${userSource.url}&order=name` } },
    crontab: {
      layout: { half: true },
      widget: 'cron',
      state: { enableWhen: { is_periodic: true } },
      validation: {
        check: (value, values) => (values.is_periodic && !value && !values.interval ? t('planNeedsTime') : undefined),
      },
    },
    interval: { layout: { half: true }, state: { enableWhen: { is_periodic: true } } },
    ...screens.formFields,
  },
  submit: {
    clean: async (body, values) => {
      const cleaned = (await screens.clean?.(body, values)) ?? body
      return cleaned.interval === '' ? { ...cleaned, interval: null } : cleaned
    },
  },
})

/** The assets of a plan, directly and below its nodes, with both changed one by one. */
function Targets({ screens, context: { row, reload } }: { screens: AutomationScreens; context: DetailContext }) {
  const client = useQueryClient()
  const at = (path: string) => `${screens.targetsUrl}${row.id}/${path}`
  const may = rights(screens.resource).change && !inRoot()
  const change = async (path: string, body: object) => {
    const { error } = await call<{ error?: unknown }>(at(path), { method: 'PATCH', body })
    if (error) throw new Error(JSON.stringify(error))
  }
  const again = () => {
    reload()
    void client.invalidateQueries({ queryKey: ['list', at('assets/')] })
  }
  const mobile = useMobile()
  const direct = new Set(rowsIn((row.assets as Row[]) ?? []).map(({ id }) => id))
  const mayRemove = (asset: Row) => may && direct.has(asset.id)
  const remove = async (asset: Row) => {
    await change('asset/remove/', { assets: [asset.id] })
    toast.ok(t('removed'))
    again()
  }
  return (
    <>
      <div className="columns-2">
        <RelationCard
          title={t('planAddAssets')}
          source={assetSource}
          disabled={!may}
          add={(assets) => change('asset/add/', { assets })}
          onChanged={again}
        />
        <RelationCard
          title={t('planAddNodes')}
          source={nodeSource}
          members={(row.nodes as Row[]) ?? []}
          disabled={!may}
          add={(nodes) => change('nodes/?action=add', { nodes })}
          remove={(id) => change('nodes/?action=remove', { nodes: [id] })}
          onChanged={again}
        />
      </div>
      <ListView
        spec={{
          ...inside,
          id: 'AutomationAssets',
          url: at('assets/'),
          data: { metadataUrl: '/api/v1/assets/assets/?fields_size=mini' },
          resource: 'assets.asset',
          noun: 'asset',
          texts: { empty: 'planAssetsEmpty' },
          columns: {
            only: ['name', 'address', 'id'],
            shown: mobile ? ['name', 'address'] : ['name', 'address', 'id'],
            cells: {
              address: { mono: true },
              // Called like this in the v3 console.
              id: {
                label: t('planRemoveAsset'),
                width: 160,
                render: (asset) =>
                  mayRemove(asset) && (
                    <Button
                      size="small"
                      icon={<Minus size={14} />}
                      aria-label={t('removeName', { name: wordOf(asset.name) })}
                      onClick={() => void attempt(() => remove(asset))}
                    />
                  ),
              },
            },
          },
          row: { link: (asset) => (can('assets.view_asset') ? pathOf('AssetDetail', asset.id) : undefined) },
          actions: {
            ...inside.actions,
            row: mobile
              ? [{ key: 'remove', label: () => t('planRemoveAsset'), danger: true, visible: mayRemove, run: remove }]
              : [],
          },
        }}
      />
    </>
  )
}

/** The page of one plan. */
export const planDetail = (screens: AutomationScreens): DetailSpec => ({
  url: screens.url,
  resource: screens.resource,
  path: `${pathOf(screens.list)}?activeTab=${screens.plansTab}`,
  noun: screens.noun,
  icon: () => <CalendarClock size={20} />,
  update: { to: (row) => pathOf(screens.update, row.id) },
  headActions: ({ row, reload }) =>
    can(code(screens.executionResource, 'add')) && !inRoot() ? (
      <Button
        type="primary"
        icon={<CirclePlay size={16} />}
        disabled={whyIdle(row) !== undefined}
        title={whyIdle(row)}
        onClick={() => void attempt(() => execute(screens, row, reload))}
      >
        {t('execute')}
      </Button>
    ) : null,
  facts: [
    { name: 'id', mono: true },
    'name',
    'is_periodic',
    'periodic_display',
    'is_active',
    ...(screens.facts ?? []),
    'executed_amount',
    'date_updated',
    'date_created',
    'created_by',
    'comment',
  ],
  tabs: [
    {
      key: 'AutomationTargets',
      title: 'planTargets',
      visible: () => can('assets.view_asset'),
      render: (context) => <Targets screens={screens} context={context} />,
    },
    {
      key: 'AutomationExecutions',
      title: 'executions',
      visible: () => can(code(screens.executionResource, 'view')),
      render: ({ row }) => <ListView spec={executionList(screens, row.id)} />,
    },
  ],
})
