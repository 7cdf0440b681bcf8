import type { Feature } from '../../kit/feature.ts'
import { detail, list, routes } from '../../kit/resource.ts'
import { code } from '../../kit/session.ts'

const lit = '/console/assets/assets'

/** Forms of the categories; the hosts' own file serves all, told apart by the path. */
const categories = ['hosts'] as const

export const features: readonly Feature[] = [
  {
    path: '/console/assets/assets',
    name: 'AssetList',
    title: 'assets',
    view: 'console',
    permission: code('assets.asset', 'view'),
    menu: 'assets',
    load: () => import('./assets.tsx'),
  },
  ...categories.flatMap((category): Feature[] => [
    {
      path: `/console/assets/${category}/create`,
      name: 'HostCreate',
      title: 'hostCreate',
      view: 'console',
      permission: code('assets.asset', 'add'),
      lit,
      load: () => import('./host-form.tsx'),
    },
    {
      path: `/console/assets/${category}/:id/update`,
      name: 'HostUpdate',
      title: 'hostUpdate',
      view: 'console',
      permission: code('assets.asset', 'change'),
      lit,
      load: () => import('./host-form.tsx'),
    },
  ]),
  {
    path: '/console/assets/assets/:id',
    name: 'AssetDetail',
    title: 'assetDetail',
    view: 'console',
    permission: code('assets.asset', 'view'),
    load: detail(async () => (await import('./asset-detail.tsx')).detail),
  },
  ...routes({
    path: '/console/assets/platforms',
    name: 'Platform',
    view: 'console',
    resource: 'assets.platform',
    menu: 'assets',
    titles: { list: 'platforms', detail: 'platformDetail' },
    load: {
      list: list(async () => (await import('./platforms.tsx')).list),
      detail: detail(async () => (await import('./platforms.tsx')).detail),
    },
  }),
]
