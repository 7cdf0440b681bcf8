/** Hash routes out of the features. Guards are here: view, permission, organisation of the screen. */

import { pathOf, type View, viewOf, viewRoots } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ComponentType } from 'react'
import { createHashRouter, type RouteObject, redirect, type ShouldRevalidateFunction } from 'react-router'
import type { Feature } from '../kit/feature.ts'
import { numberHistory } from '../kit/LeaveGuard.tsx'
import { FeatureContext } from '../kit/page.tsx'
import { part } from '../kit/part.tsx'
import { session } from '../kit/session.ts'
import { loadTaskLog } from '../screens/ops/index.ts'
import { features, firstBelow, mayUse, obstacleOf } from './features.ts'
import { enterOrganisation, settleOrganisation } from './organisation.ts'
import { Forbidden, NotFound, Oops } from './shell/NotFound.tsx'
import { Shell } from './shell/Shell.tsx'
import { toLogin } from './startup.ts'
import { firstView, mayEnter, preferredView, views } from './views.ts'

const Waiting = () => (
  <div className="page">
    <Skeleton active title={false} paragraph={{ rows: 6 }} />
  </div>
)

function Screen({ feature, Page }: { feature: Feature; Page: ComponentType }) {
  const obstacle = obstacleOf(feature)
  if (obstacle) return <Forbidden obstacle={obstacle} />
  return (
    <FeatureContext value={feature}>
      <Page />
    </FeatureContext>
  )
}

const home = () => redirect(preferredView(session().profile, localStorage.getItem('PreView')).root)

/** An address of ours: a second slash at its head would begin the name of another host. */
const inside = (path: string): string => `/${path.replace(/^[\\/]+/, '')}`

/** A page has one address: the tab of one with a slash at its end would be another tab. */
const withoutSlash = (path: string): string => inside(path.replace(/\/+$/, ''))

/** Passed on every way: one address for a page, and first what a first sign-in asks for (spec 1 §4). */
function gate({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const bare = withoutSlash(pathname)
  if (viewOf(pathname) && bare !== pathname) return redirect(bare + search)
  const improvement = pathOf('ProfileImprovement')
  if (!session().profile.is_first_login || bare === improvement) return null
  return redirect(bare === '/' ? improvement : `${improvement}?${new URLSearchParams({ next: bare + search })}`)
}

/** What is no screen: the groups of the menus lead to their first screen, a view that is not had to the first one. */
function elsewhere({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const bare = withoutSlash(pathname)
  const view = views.find((facts) => `/${facts.view}` === bare)
  if (view && !mayEnter(view.view, session().profile)) return redirect(firstView(session().profile).root)
  const screen = firstBelow(bare)
  return redirect(screen ? screen + search : '/404')
}

/** How long the first screen is waited for before a skeleton stands there instead. Milliseconds. */
const patience = 150
let isFirst = true

/** The others show what belongs to nobody's organisation, or to the person. */
const withOrganisations: ReadonlySet<View> = new Set(['console', 'audit', 'workbench'])

/**
 * Where a view begins that the person does not have, they are led to the first one they have; its other screens say that
 * they are forbidden. A screen may work in another organisation. The first screen
 * is drawn at once when it is soon there, without a skeleton that only flashes. Later ones are not waited for, or the
 * screen before would stay and could be clicked meanwhile.
 */
function guard(feature: Feature, fetchPage: NonNullable<Feature['load']>, client: QueryClient) {
  return async ({ request }: { request: Request }) => {
    const view = viewOf(feature.path) ?? 'workbench'
    if (!mayEnter(view, session().profile))
      return feature.path === pathOf(viewRoots[view]) ? redirect(firstView(session().profile).root) : null
    enterOrganisation(feature.organisation)
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

/** Who may be on a page may turn the pages of its list. */
const whenElsewhere: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname

function routeOf(feature: Feature, client: QueryClient): RouteObject {
  const { outside } = feature
  if (outside)
    return {
      path: feature.path,
      loader: () => {
        location.assign(outside)
        return null
      },
      element: <Waiting />,
    }
  if (!feature.load) throw new Error(`${feature.name} leads nowhere`)
  const Page = part(feature.load, <Waiting />, 'thrown')
  return {
    path: feature.path,
    loader: guard(feature, Page.bring, client),
    shouldRevalidate: whenElsewhere,
    element: <Screen feature={feature} Page={Page} />,
  }
}

const TaskLog = part(loadTaskLog, null, 'thrown')

/** Every route; paths without a frame first. */
export function makeRouter(client: QueryClient) {
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
      loader: ({ params, request }) => redirect(inside(`${params['*'] ?? ''}${new URL(request.url).search}`)),
    },
    {
      element: <Shell />,
      errorElement: <Oops />,
      children: [
        ...[...features]
          .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
          .map((feature) => routeOf(feature, client)),
        { path: '/404', element: <NotFound /> },
        { path: '*', loader: elsewhere },
      ],
    },
  ]
  numberHistory()
  // The page stays empty until the first address has led somewhere.
  return createHashRouter([
    { hydrateFallbackElement: <></>, loader: gate, shouldRevalidate: whenElsewhere, children: routes },
  ])
}
