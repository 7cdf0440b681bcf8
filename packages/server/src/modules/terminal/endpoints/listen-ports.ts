import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { failureAs, text as say } from '../../../kernel/module/errors.ts'

const url = '/api/v1/terminal/db-listen-ports/'

/**
 * Ports of the native front end of databases, one for each Oracle database. No component of this installation has that
 * front end, so no port is ever assigned.
 */
export const listenPortRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: url,
    requires: 'assets.view_asset',
    summary: 'Ports on which components listen for databases',
    handle: () => [],
  }),
  defineRoute({
    method: 'GET',
    path: `${url}db-info/`,
    requires: 'assets.view_asset',
    summary: 'The database behind a port',
    handle({ request }) {
      const port = Number(request.query.port)
      const isPort = Number.isInteger(port) && port > 0 && port < 65_536
      throw failureAs(400, 'error', isPort ? say(texts.port_unassigned, { port }) : say(texts.port_wrong))
    },
  }),
]
