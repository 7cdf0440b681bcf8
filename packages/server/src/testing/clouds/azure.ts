import { type CloudRequest, type PretendCloud, reply } from './cloud.ts'

const subscription = '11111111-2222-3333-4444-555555555555'
const tenant = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const secret = 'the-secret-of-the-application'
const group = `/subscriptions/${subscription}/resourceGroups/web`
const region = 'chinaeast2'
const pageSize = 60

const failure = (code: string, status: number, headers: Record<string, string> = {}) =>
  reply({ error: { code, message: 'as the vendor words it' } }, status, headers)

function cloud(provider: string, { login, management }: { login: string; management: string }): PretendCloud {
  /** Some of a list, and the address of the rest. */
  const page = (request: CloudRequest, all: readonly object[]) => {
    const from = Number(request.query.get('$skiptoken') ?? 0)
    const query = new URLSearchParams(request.query)
    query.set('$skiptoken', String(from + pageSize))
    const isLast = from + pageSize >= all.length
    return reply({
      value: all.slice(from, from + pageSize),
      ...(isLast ? {} : { nextLink: `https://${management}${request.path}?${query}` }),
    })
  }
  return {
    provider,
    attrs: () => ({
      client_id: 'application',
      client_secret: secret,
      tenant_id: tenant,
      subscription_id: subscription,
    }),
    wrong: { client_secret: 'another-secret' },
    region,
    strange: 'chinanowhere9',
    right: 'Microsoft.Compute/virtualMachines/read',
    isList: ({ path }) => path.endsWith('/virtualMachines'),
    forbidden: failure('AuthorizationFailed', 403),
    throttled: failure('SubscriptionRequestsThrottled', 429, { 'retry-after': '0' }),
    answer(request, machines) {
      const { host, path, query } = request
      if (host === login) {
        const form = new URLSearchParams(request.body)
        const isRight =
          path === `/${tenant}/oauth2/v2.0/token` &&
          form.get('grant_type') === 'client_credentials' &&
          form.get('client_id') === 'application' &&
          form.get('client_secret') === secret &&
          form.get('scope') === `https://${management}/.default`
        return isRight
          ? reply({ token_type: 'Bearer', expires_in: 3599, access_token: 'token-of-the-application' })
          : reply({ error: 'invalid_client', error_description: 'AADSTS7000215', error_codes: [7000215] }, 401)
      }
      if (host !== management || request.headers.authorization !== 'Bearer token-of-the-application')
        return failure('InvalidAuthenticationToken', 401)
      if (!query.get('api-version')) return failure('MissingApiVersionParameter', 400)
      if (path === `/subscriptions/${subscription}/locations`)
        return reply({
          value: [
            { name: region, displayName: 'China East 2', metadata: { regionType: 'Physical' } },
            { name: 'china', displayName: 'China', metadata: { regionType: 'Logical' } },
          ],
        })
      const at = (kind: string, name: string) => `${group}/providers/${kind}/${name}`
      if (path.endsWith('Microsoft.Network/publicIPAddresses'))
        return page(
          request,
          machines.map(({ id, publicAddress }) => ({
            id: at('Microsoft.Network/publicIPAddresses', id),
            location: region,
            properties: { ipAddress: publicAddress },
          })),
        )
      if (path.endsWith('Microsoft.Network/networkInterfaces'))
        return page(request, [
          { id: at('Microsoft.Network/networkInterfaces', 'of-nobody'), location: region, properties: {} },
          ...machines.map(({ id, address }) => ({
            id: at('Microsoft.Network/networkInterfaces', id),
            location: region,
            properties: {
              primary: true,
              // Groups are written in another case here.
              virtualMachine: { id: at('Microsoft.Compute/virtualMachines', id).toUpperCase() },
              ipConfigurations: [
                {
                  properties: {
                    privateIPAddress: address,
                    publicIPAddress: { id: at('Microsoft.Network/publicIPAddresses', id) },
                  },
                },
              ],
            },
          })),
        ])
      if (!path.endsWith(`/Microsoft.Compute/locations/${region}/virtualMachines`))
        return failure('NoRegisteredProviderFound', 404)
      return page(
        request,
        machines.map(({ id, name, isWindows }) => ({
          id: at('Microsoft.Compute/virtualMachines', id),
          name,
          location: region,
          properties: { vmId: id, storageProfile: { osDisk: { osType: isWindows ? 'Windows' : 'Linux' } } },
        })),
      )
    },
  }
}

/** Azure Resource Manager in China. */
export const azureChinaCloud = cloud('azure', {
  login: 'login.partner.microsoftonline.cn',
  management: 'management.chinacloudapi.cn',
})

/** Azure Resource Manager elsewhere. */
export const azureCloud = cloud('azure_international', {
  login: 'login.microsoftonline.com',
  management: 'management.azure.com',
})
