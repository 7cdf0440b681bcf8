/** Hash routes of the screens, with guards: view, permission, organization of the screen. */

import { pathOf, type View, viewOf, viewRoots } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ComponentType } from 'react'
import { createHashRouter, type RouteObject, redirect, type ShouldRevalidateFunction } from 'react-router'
import { numberHistory } from '../kit/LeaveGuard.tsx'
import { lazyComponent } from '../kit/lazy-component.tsx'
import { ScreenContext } from '../kit/page.tsx'
import type { Screen } from '../kit/screen.ts'
import { session } from '../kit/session.ts'
import { enterOrganization, settleOrganization } from './organization.ts'
import { denialReason, firstScreenBelow, mayUse, screens } from './screens.ts'
import { Forbidden, NotFound, Oops } from './shell/NotFound.tsx'
import { Shell } from './shell/Shell.tsx'
import { toLogin } from './startup.ts'
import { firstView, mayEnter, preferredView, views } from './views.ts'

const Waiting = () => (
  <div className="page">
    <Skeleton active title={false} paragraph={{ rows: 6 }} />
  </div>
)

function Frame({ screen, Page }: { screen: Screen; Page: ComponentType }) {
  const reason = denialReason(screen)
  if (reason) return <Forbidden reason={reason} />
  return (
    <ScreenContext value={screen}>
      <Page />
    </ScreenContext>
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
function guard(screen: Screen, fetchPage: NonNullable<Screen['load']>, client: QueryClient) {
  return async ({ request }: { request: Request }) => {
    const view = viewOf(screen.path) ?? 'workbench'
    if (!mayEnter(view, session().profile))
      return screen.path === pathOf(viewRoots[view]) ? redirect(firstView(session().profile).root) : null
    enterOrganization(screen.organization)
    if (withOrganizations.has(view)) await settleOrganization(view)
    if (!mayUse(screen)) return null
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

function routeOf(screen: Screen, client: QueryClient): RouteObject {
  const { external } = screen
  if (external)
    return {
      path: screen.path,
      loader: () => {
        location.assign(external)
        return null
      },
      element: <Waiting />,
    }
  if (!screen.load) throw new Error(`${screen.name} leads nowhere`)
  const Page = lazyComponent(screen.load, <Waiting />, 'thrown')
  return {
    path: screen.path,
    loader: guard(screen, Page.bring, client),
    shouldRevalidate: revalidateOnPathChange,
    element: <Frame screen={screen} Page={Page} />,
  }
}

/** A window of its own: what it shows asks the server by itself, which decides who may see it. */
function bareRouteOf({ name, path, load }: Screen): RouteObject {
  if (!load) throw new Error(`${name} leads nowhere`)
  const Page = lazyComponent(load, null, 'thrown')
  return { path, element: <Page /> }
}

/** All routes; paths without a frame first. */
export function makeRouter(client: QueryClient) {
  const routes: RouteObject[] = [
    { path: '/', loader: home, element: <></> },
    ...screens.filter(({ bare }) => bare).map(bareRouteOf),
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
    // The v3 console's address of the list of cloud accounts.
    { path: '/console/assets/cloud/account', loader: () => redirect(pathOf('AccountList')) },
    {
      path: '/redirect/*',
      loader: ({ params, request }) => redirect(sameOriginPath(`${params['*'] ?? ''}${new URL(request.url).search}`)),
    },
    {
      element: <Shell />,
      errorElement: <Oops />,
      children: [
        ...screens
          .filter(({ bare }) => !bare)
          .sort((a, b) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
          .map((screen) => routeOf(screen, client)),
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
