/** Hash routes out of the features. Guards are here: view, permission, organisation of the screen. */

import { pathOf, type View, viewOf } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ComponentType } from 'react'
import { createHashRouter, type RouteObject, redirect } from 'react-router'
import type { Feature } from '../kit/feature.ts'
import { numberHistory } from '../kit/LeaveGuard.tsx'
import { FeatureContext } from '../kit/page.tsx'
import { part } from '../kit/part.tsx'
import { lendOrganisation, session } from '../kit/session.ts'
import { loadTaskLog } from '../screens/ops/index.ts'
import { features, mayUse } from './features.ts'
import { Forbidden, NotFound, Oops } from './shell/NotFound.tsx'
import { Shell } from './shell/Shell.tsx'
import { settleOrganisation, toLogin } from './startup.ts'
import { mayEnter, preferredView, views } from './views.ts'

const Waiting = () => (
  <div className="page">
    <Skeleton active title={false} paragraph={{ rows: 6 }} />
  </div>
)

function Screen({ feature, Page }: { feature: Feature; Page: ComponentType }) {
  if (!mayUse(feature)) return <Forbidden />
  return (
    <FeatureContext value={feature}>
      <Page />
    </FeatureContext>
  )
}

const home = () => redirect(preferredView(session().profile, localStorage.getItem('PreView')).root)

/** How long the first screen is waited for before a skeleton stands there instead. Milliseconds. */
const patience = 150
let isFirst = true

/** The others show what belongs to nobody's organisation, or to the person. */
const withOrganisations: ReadonlySet<View> = new Set(['console', 'audit', 'workbench'])

/**
 * A view nobody may enter leads to the first one they may; a screen may work in another organisation. The first screen
 * is drawn at once when it is soon there, without a skeleton that only flashes. Later ones are not waited for, or the
 * screen before would stay and could be clicked meanwhile.
 */
function guard(feature: Feature, fetchPage: Feature['load'], client: QueryClient) {
  return async ({ request }: { request: Request }) => {
    const view = viewOf(feature.path) ?? 'workbench'
    if (!mayEnter(view, session().profile)) return home()
    lendOrganisation(feature.organisation)
    if (withOrganisations.has(view)) await settleOrganisation(view)
    if (!mayUse(feature)) return null
    const wasFirst = isFirst
    isFirst = false
    // A failure is shown where the page should stand.
    const fetched = fetchPage().then(
      ({ ask }) => {
        // What came back with the page's history decides about the questions too, and only the screen knows how.
        if (wasFirst && !history.state?.usr) ask?.(client, new URL(request.url).searchParams)
        return null
      },
      () => null,
    )
    if (!wasFirst) return null
    return Promise.race([fetched, new Promise<null>((resolve) => setTimeout(() => resolve(null), patience))])
  }
}

function routeOf(feature: Feature, client: QueryClient): RouteObject {
  const Page = part(feature.load, <Waiting />, 'thrown')
  return {
    path: feature.path,
    loader: guard(feature, Page.bring, client),
    // Who may be on a page may turn the pages of its list.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    element: <Screen feature={feature} Page={Page} />,
  }
}

const TaskLog = part(loadTaskLog, null, 'thrown')

/** Every route; paths without a frame first. */
export function makeRouter(client: QueryClient) {
  // A path without its own screen leads to the first usable one below it.
  const roots = views.map((facts) => ({
    path: `/${facts.view}`,
    loader: () => {
      const first = features.find((feature) => viewOf(feature.path) === facts.view && feature.menu && mayUse(feature))
      return redirect(
        features.some((feature) => feature.path === facts.root && mayUse(feature))
          ? facts.root
          : (first?.path ?? '/404'),
      )
    },
  }))
  const first = (path: string, to: string) => ({
    path,
    loader: ({ request }: { request: Request }) => redirect(`${to}${new URL(request.url).search}`),
  })
  const routes: RouteObject[] = [
    { path: '/', loader: home, element: <></> },
    ...(['celery', 'ansible', 'task'] as const).map((type) => ({
      path: type === 'task' ? '/ops/task/task/:id/log' : `/ops/${type}/task/:id/log`,
      element: <TaskLog type={type === 'ansible' ? 'ansible' : 'celery'} />,
    })),
    {
      path: '/terminal/sessions/:id',
      loader: ({ params, request }) => redirect(`${pathOf('SessionDetail', params.id)}${new URL(request.url).search}`),
    },
    {
      path: '/login',
      loader: () => {
        toLogin()
        return null
      },
      element: <Waiting />,
    },
    // The specification's name of the group, and the contract's.
    {
      path: '/audit/logs/*',
      loader: ({ params, request }) => redirect(`/audit/audits/${params['*'] ?? ''}${new URL(request.url).search}`),
    },
    {
      path: '/redirect/*',
      loader: ({ params, request }) => redirect(`/${params['*'] ?? ''}${new URL(request.url).search}`),
    },
    {
      element: <Shell />,
      errorElement: <Oops />,
      children: [
        ...roots,
        first('/console/users', pathOf('UserList')),
        first('/audit/sessions', pathOf('SessionList')),
        ...[...features]
          .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
          .map((feature) => routeOf(feature, client)),
        { path: '/404', element: <NotFound /> },
        { path: '*', loader: () => redirect('/404') },
      ],
    },
  ]
  numberHistory()
  // The page stays empty until the first address has led somewhere.
  return createHashRouter([{ hydrateFallbackElement: <></>, children: routes }])
}
