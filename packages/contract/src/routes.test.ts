import { describe, expect, it } from 'vitest'
import { permissionByCode, ungrantablePermissions } from './permissions.ts'
import { type RouteFacts, routes, viewOf, viewRoots, views } from './routes.ts'

const rows = Object.entries(routes) as [string, RouteFacts][]

describe('the route table', () => {
  it('gives every screen a unique address within a view', () => {
    const paths = rows.map(([, route]) => route.path)
    expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
    const withoutView = rows.filter(([, { path }]) => !viewOf(path)).map(([name]) => name)
    expect(withoutView).toEqual(rows.filter(([, { bare }]) => bare).map(([name]) => name))
  })

  it('requires only existing permissions', () => {
    const known = (code: string) =>
      permissionByCode(code) !== undefined || (ungrantablePermissions as readonly string[]).includes(code)
    const asked = rows.flatMap(([name, { permission = [] }]) =>
      [permission]
        .flat()
        .flatMap((entry) => entry.split('|'))
        .map((code) => `${name}: ${code.trim()}`),
    )
    expect(asked.filter((entry) => !known(entry.split(': ')[1] ?? ''))).toEqual([])
  })

  it('requires the extended edition, the add permission and the organization where specified', () => {
    const of = (name: string) => rows.find(([own]) => own === name)?.[1]
    const cloud = rows.filter(([, { path }]) => /^\/console\/assets\/cloud(\/|$)/.test(path))
    expect(cloud.map(([, { setting }]) => setting)).toEqual(cloud.map(() => 'XPACK_ENABLED'))
    expect(of('GatewayCreate')?.permission).toBe('assets.add_gateway')
    expect(of('Passkey')?.permission).toBe('authentication.view_passkey')
    expect(String(of('TicketFlowCreate')?.permission)).toContain('tickets.add_ticketflow')
    const locked = rows.filter(([, { organization }]) => organization === 'root').map(([name]) => name)
    expect(locked).toEqual(['RoleList', 'RoleCreate', 'RoleUpdate', 'RoleDetail'])
  })

  it('lists external pages between my assets and the jobs', () => {
    const workbench = rows.filter(([, { path, menu }]) => menu && viewOf(path) === 'workbench').map(([name]) => name)
    expect(workbench.slice(0, 5)).toEqual(['MyHome', 'MyAssets', 'WebTerminal', 'FileManager', 'QuickJob'])
  })

  it('highlights a listed entry, and starts every view with a listed entry', () => {
    const listed = rows.filter(([, route]) => route.menu).map(([, route]) => route.path as string)
    expect(rows.filter(([, { lit }]) => lit && !listed.includes(lit)).map(([name]) => name)).toEqual([])
    for (const view of views) expect(viewOf(routes[viewRoots[view]].path)).toBe(view)
  })
})
