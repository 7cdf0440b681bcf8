import type { Message } from '@castellan/contract/messages'
import { terminalMessages as texts } from '@castellan/contract/messages/terminal'
import { text } from '../../../kernel/fields/index.ts'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { definePort } from '../../../kernel/module/hooks.ts'
import { licenseState } from '../../xpack/index.ts'
import { component } from '../components/component.ts'
import { livingBeats } from '../components/heartbeat.ts'
import { components } from '../settings.ts'

interface Method {
  component: string
  type: 'web' | 'native'
  endpoint_protocol: string
  value: string
  label: Message
  /** Only in the extended edition. */
  extended?: boolean
}

const labels = {
  web_cli: texts.method_web_cli,
  web_gui: texts.method_web_gui,
  web_sftp: texts.method_web_sftp,
  ssh_client: texts.method_ssh_client,
  ssh_guide: texts.method_ssh_guide,
  sftp_client: texts.method_sftp_client,
  db_client: texts.method_db_client,
  db_guide: texts.method_db_guide,
  mstsc: texts.method_mstsc,
} as const
type Name = keyof typeof labels

const web = (component: string, value: Name): Method => ({
  component,
  type: 'web',
  endpoint_protocol: 'http',
  value,
  label: labels[value],
})
const native = (component: string, protocol: string, value: Name, extended = false): Method => ({
  component,
  type: 'native',
  endpoint_protocol: protocol,
  value,
  label: labels[value],
  ...(extended ? { extended } : {}),
})
const clients = (protocol: string, extended = false) => [
  native('magnus', protocol, 'db_client', extended),
  native('magnus', protocol, 'db_guide', extended),
]
const ssh = [web('koko', 'web_cli'), native('koko', 'ssh', 'ssh_client'), native('koko', 'ssh', 'ssh_guide')]
const cli = [web('koko', 'web_cli')]
const both = [web('koko', 'web_cli'), web('chen', 'web_gui')]

/** All connect methods, by protocol. */
const methods: Readonly<Record<string, readonly Method[]>> = {
  ssh,
  telnet: ssh,
  sftp: [web('koko', 'web_sftp'), native('koko', 'sftp', 'sftp_client')],
  redis: [...cli, ...clients('redis')],
  mongodb: cli,
  k8s: cli,
  clickhouse: cli,
  mysql: [...both, ...clients('mysql')],
  mariadb: [...both, ...clients('mariadb')],
  postgresql: [...both, ...clients('postgresql', true)],
  sqlserver: both,
  oracle: [web('chen', 'web_gui'), ...clients('oracle', true)],
  db2: [web('chen', 'web_gui')],
  rdp: [web('lion', 'web_gui'), native('razor', 'rdp', 'mstsc', true)],
  vnc: [web('lion', 'web_gui')],
  chatgpt: [web('kael', 'web_gui')],
}

/** The rules that remove connect methods from the caller: which of them remain. */
export const connectMethodRules = definePort<(ctx: Context) => Promise<(method: { value: string }) => boolean>>(
  'terminal.connect-method-rules',
)

/** A remote application as a connect method. */
export interface AppletMethod {
  value: string
  label: string
  type: 'applet'
  icon: string | null
  /** No host could run it. */
  disabled: boolean
  listen: 'rdp'
  component: 'tinker'
  protocols: readonly string[]
}

/** The active remote applications. */
export const appletMethods = definePort<(ctx: Context) => Promise<readonly AppletMethod[]>>('terminal.applet-methods')

/** Types of components that bring RDP to users: applications are shown by it. */
const rdpComponents: readonly string[] = ['lion', 'guacamole', 'razor', 'xrdp']

/** Whether a component that is alive speaks RDP with users. The gateway of this product does not. */
async function speaksRdp(ctx: Context): Promise<boolean> {
  const beats = await livingBeats(ctx)
  if (beats.size === 0) return false
  const found = await ctx.rawDb
    .selectFrom(component.table)
    .select('id')
    .where('id', 'in', [...beats.keys()])
    .where('type', 'in', rdpComponents)
    .where('is_deleted', '=', false)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether the installation offers a method, by license and by the settings of components. */
function offered(ctx: Context, protocol: string, method: Method): boolean {
  if (method.extended && !licenseState(ctx.services).valid) return false
  if (method.component === 'razor') return components.of(ctx).TERMINAL_RAZOR_ENABLED
  if (method.component === 'magnus') return components.of(ctx).TERMINAL_MAGNUS_ENABLED
  return protocol !== 'ssh' || method.type !== 'native' || components.of(ctx).TERMINAL_KOKO_SSH_ENABLED
}

const shown = (ctx: Context, { extended: _extended, label, ...method }: Method) => ({
  ...method,
  label: label[ctx.language],
})

/** The methods an installation offers for a protocol, without the caller's own rules. */
export function connectMethod(ctx: Context, protocol: string, value: string) {
  const found = methods[protocol]?.find((method) => method.value === value && offered(ctx, protocol, method))
  return found && shown(ctx, found)
}

export const connectMethodsRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/terminal/components/connect-methods/',
  requires: 'valid',
  summary: 'The connect methods, by protocol',
  fields: {
    GET: {
      value: text({ max: 128, required: true }),
      label: text({ max: 128, required: true }),
      type: text({ max: 128, required: true }),
      endpoint_protocol: text({ max: 128, required: true }),
      component: text({ max: 128, required: true }),
    },
  },
  async handle({ ctx, request }) {
    const flat = Boolean(request.query.flat)
    const isAllowed = flat ? () => true : await connectMethodRules.use(ctx)
    // Rules may name applications before anything can show them.
    const applets = flat || (await speaksRdp(ctx)) ? await appletMethods.use(ctx) : []
    const ofApplets = applets.filter(isAllowed)
    const protocols = new Set([...Object.keys(methods), ...ofApplets.flatMap((one) => one.protocols)])
    const byProtocol = [...protocols].map(
      (protocol) =>
        [
          protocol,
          [
            ...(own(methods, protocol) ?? [])
              .filter((method) => offered(ctx, protocol, method) && isAllowed(method))
              .map((method) => shown(ctx, method)),
            ...ofApplets
              .filter((one) => one.protocols.includes(protocol))
              .map(({ protocols: _protocols, ...method }) => method),
          ],
        ] as const,
    )
    if (!flat) return Object.fromEntries(byProtocol)
    return [...new Map(byProtocol.flatMap(([, list]) => list).map((method) => [method.value, method])).values()]
  },
})
