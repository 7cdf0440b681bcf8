/** Hash routes of the features, with guards: view, permission, organization of the screen. */

import { pathOf, type View, viewOf, viewRoots } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ComponentType } from 'react'
import { createHashRouter, type RouteObject, redirect, type ShouldRevalidateFunction } from 'react-router'
import type { Feature } from '../kit/feature.ts'
import { numberHistory } from '../kit/LeaveGuard.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { FeatureContext } from '../kit/page.tsx'
import { session } from '../kit/session.ts'
import { loadTaskLog } from '../screens/ops/index.ts'
import { denialReason, features, firstScreenBelow, mayUse } from './features.ts'
import { enterOrganization, settleOrganization } from './organization.ts'
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
  const reason = denialReason(feature)
  if (reason) return <Forbidden reason={reason} />
  return (
    <FeatureContext value={feature}>
      <Page />
    </FeatureContext>
  )
}

const home = () => redirect(preferredView(session().profile, localStorage.getItem('PreView')).root)

/** Collapses leading slashes: `//host` in a redirect would lead to another origin. */
const sameOriginPath = (path: string): string => `/${path.replace(/^[\\/]+/, '')}`

const withoutTrailingSlash = (path: string): string => sameOriginPath(path.replace(/\/+$/, ''))

/** Runs before every screen: removes trailing slashes, and holds users on their first login on the improvement page. */
function normalizeAddress({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const bare = withoutTrailingSlash(pathname)
  if (viewOf(pathname) && bare !== pathname) return redirect(bare + search)
  const improvement = pathOf('ProfileImprovement')
  if (!session().profile.is_first_login || bare === improvement) return null
  return redirect(bare === '/' ? improvement : `${improvement}?${new URLSearchParams({ next: bare + search })}`)
}

/** Paths without a screen: layout paths redirect to their first screen, a forbidden view to the first permitted view. */
function redirectUnmatched({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const bare = withoutTrailingSlash(pathname)
  const view = views.find((facts) => `/${facts.view}` === bare)
  if (view && !mayEnter(view.view, session().profile)) return redirect(firstView(session().profile).root)
  const screen = firstScreenBelow(bare)
  return redirect(screen ? screen + search : '/404')
}

/** How long to wait for the first screen before showing a skeleton. Milliseconds. */
const patience = 150
let isFirst = true

/** Screens of other views show data of the user, not of an organization. */
const withOrganizations: ReadonlySet<View> = new Set(['console', 'audit', 'workbench'])

/**
 * The root of a forbidden view redirects to the first permitted view; its other screens render the 403 page. A screen
 * may override the organization. The first screen renders directly if it loads quickly, without a flashing skeleton.
 * Later screens are not awaited: the previous screen would stay and could be clicked.
 */
function guard(feature: Feature, fetchPage: NonNullable<Feature['load']>, client: QueryClient) {
  return async ({ request }: { request: Request }) => {
    const view = viewOf(feature.path) ?? 'workbench'
    if (!mayEnter(view, session().profile))
      return feature.path === pathOf(viewRoots[view]) ? redirect(firstView(session().profile).root) : null
    enterOrganization(feature.organization)
    if (withOrganizations.has(view)) await settleOrganization(view)
    if (!mayUse(feature)) return null
    const wasFirst = isFirst
    isFirst = false
    // The error replaces the page content.
    const fetched = fetchPage().then(
      ({ ask }) => {
        // The restored history state affects the queries, and only the screen can interpret it.
        if (wasFirst && !history.state?.usr) ask?.(client, new URL(request.url).searchParams)
        return null
      },
      () => null,
    )
    if (!wasFirst) return null
    return Promise.race([fetched, new Promise<null>((resolve) => setTimeout(() => resolve(null), patience))])
  }
}

/** A changed query alone needs no new permission check. */
const revalidateOnPathChange: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname

function routeOf(feature: Feature, client: QueryClient): RouteObject {
  const { external } = feature
  if (external)
    return {
      path: feature.path,
      loader: () => {
        location.assign(external)
        return null
      },
      element: <Waiting />,
    }
  if (!feature.load) throw new Error(`${feature.name} leads nowhere`)
  const Page = lazyComponent(feature.load, <Waiting />, 'thrown')
  return {
    path: feature.path,
    loader: guard(feature, Page.bring, client),
    shouldRevalidate: revalidateOnPathChange,
    element: <Screen feature={feature} Page={Page} />,
  }
}

const TaskLog = lazyComponent(loadTaskLog, null, 'thrown')

/** All routes; paths without a frame first. */
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
    // Redirects the alternative name of this group in the v3 console.
    {
      path: '/audit/logs/*',
      loader: ({ params, request }) => redirect(`/audit/audits/${params['*'] ?? ''}${new URL(request.url).search}`),
    },
    {
      path: '/redirect/*',
      loader: ({ params, request }) => redirect(sameOriginPath(`${params['*'] ?? ''}${new URL(request.url).search}`)),
    },
    {
      element: <Shell />,
      errorElement: <Oops />,
      children: [
        ...[...features]
          .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
          .map((feature) => routeOf(feature, client)),
        { path: '/404', element: <NotFound /> },
        { path: '*', loader: redirectUnmatched },
      ],
    },
  ]
  numberHistory()
  // The page stays empty until the first address is resolved.
  return createHashRouter([
    {
      hydrateFallbackElement: <></>,
      loader: normalizeAddress,
      shouldRevalidate: revalidateOnPathChange,
      children: routes,
    },
  ])
}
