import type { EC2Client, Instance as Ec2Instance } from '@aws-sdk/client-ec2'
import { providerNames } from '@castellan/contract/messages/cloud'
import { networkFailure, ProviderFailure, shortReason } from './failures.ts'
import { retryAfterOf } from './http-client.ts'
import { keyPairAttributes as attributes } from './key-pair.ts'
import { type Connection, defineProvider, type Instance } from './provider.ts'

/**
 * Machines of one page. EC2 allows 1000, but the memory of a synchronization is that of parsing one page of XML: five
 * times as many take two hundred megabytes more, and are not faster.
 */
const pageSize = 200

const wrongCredentials = new Set([
  'AuthFailure',
  'InvalidClientTokenId',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'UnrecognizedClientException',
])
const throttled = /^(RequestLimitExceeded|Throttl|TooManyRequests|SlowDown|EC2ThrottledException)/

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number }
  $response?: { headers?: Record<string, string> }
}

/** An error of the SDK in our words. */
function failureOf(error: unknown, right: string, region: string): unknown {
  const { name = '', $metadata, $response } = error as SdkError
  if (wrongCredentials.has(name)) return new ProviderFailure('unauthorized')
  if (name === 'UnauthorizedOperation' || name === 'AccessDenied') return new ProviderFailure('forbidden', { right })
  if (name === 'OptInRequired') return new ProviderFailure('no_region', { region })
  if (throttled.test(name))
    return new ProviderFailure('rate_limited', {}, { retryAfter: retryAfterOf($response?.headers?.['retry-after']) })
  const status = $metadata?.httpStatusCode ?? 0
  if (status >= 500) return new ProviderFailure('unreachable', { address: region, reason: `HTTP ${status}` })
  const network = networkFailure(error, `ec2.${region}`)
  if (network) return network
  return status >= 400 ? new ProviderFailure('bad_answer', { reason: shortReason(name) }) : error
}

const textsOf = (values: readonly (string | undefined)[]) => values.filter((value) => value !== undefined)

function described(one: Ec2Instance): Instance {
  const interfaces = one.NetworkInterfaces ?? []
  return {
    id: one.InstanceId ?? '',
    name: one.Tags?.find(({ Key }) => Key === 'Name')?.Value ?? '',
    platform: one.Platform === 'Windows' ? 'windows' : 'linux',
    privateAddresses: textsOf([one.PrivateIpAddress, ...interfaces.map(({ PrivateIpAddress: ip }) => ip)]),
    publicAddresses: textsOf([one.PublicIpAddress, ...interfaces.map(({ Association }) => Association?.PublicIp)]),
    isTerminated: one.State?.Name === 'terminated' || one.State?.Name === 'shutting-down',
  }
}

/** `home`: the region that is asked for the others. */
async function connect(home: string, accessKeyId: string, secretAccessKey: string): Promise<Connection> {
  const { DescribeInstancesCommand, DescribeRegionsCommand, EC2Client } = await import('@aws-sdk/client-ec2')
  const clients = new Map<string, EC2Client>()
  const clientOf = (region: string): EC2Client => {
    const known = clients.get(region)
    if (known) return known
    // The engine repeats calls; credentials of this machine must never be used instead.
    const client = new EC2Client({ region, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 1 })
    clients.set(region, client)
    return client
  }
  const regions: Connection['regions'] = async ({ signal }) => {
    try {
      const { Regions = [] } = await clientOf(home).send(new DescribeRegionsCommand({}), { abortSignal: signal })
      return Regions.flatMap(({ RegionName: id }) => (id ? [{ id, name: id }] : []))
    } catch (error) {
      throw failureOf(error, 'ec2:DescribeRegions', home)
    }
  }
  return {
    regions,
    test: async (call) => void (await regions(call)),
    async instances(region, cursor, { signal }) {
      // The region becomes part of a host name.
      if (!/^[a-z]{2}(-[a-z0-9]+){1,4}$/.test(region)) throw new ProviderFailure('no_region', { region })
      try {
        const command = new DescribeInstancesCommand({
          MaxResults: pageSize,
          ...(cursor === undefined ? {} : { NextToken: cursor }),
        })
        const { Reservations = [], NextToken } = await clientOf(region).send(command, { abortSignal: signal })
        const instances = Reservations.flatMap(({ Instances = [] }) => Instances.map(described))
        return { instances, next: NextToken || undefined }
      } catch (error) {
        throw failureOf(error, 'ec2:DescribeInstances', region)
      }
    },
    close() {
      for (const client of clients.values()) client.destroy()
    },
  }
}

export const awsInternational = defineProvider({
  name: 'aws_international',
  label: providerNames.aws_international,
  group: 'public',
  attributes,
  connect: ({ access_key_id: id, access_key_secret: key }) => connect('us-east-1', id, key),
})

/** The partition of China: other regions, other accounts. */
export const awsChina = defineProvider({
  name: 'aws_china',
  label: providerNames.aws_china,
  group: 'public',
  attributes,
  connect: ({ access_key_id: id, access_key_secret: key }) => connect('cn-north-1', id, key),
})
