import { type PretendCloud, reply } from './cloud.ts'
import { serversAfter } from './nova.ts'
import { isSignedForHuawei, keyAttrs, wrongKey } from './signed.ts'

const project = '05041fffa40025702f6dc009cc6f8f33'

/** IAM v3 and ECS v1.1 of Huawei Cloud. */
export const huaweiCloud: PretendCloud = {
  provider: 'huaweicloud',
  attrs: () => keyAttrs,
  wrong: wrongKey,
  region: 'cn-north-4',
  strange: 'cn-nowhere-9',
  right: 'ecs:cloudServers:list',
  isList: ({ path }) => path.endsWith('/cloudservers/detail'),
  forbidden: reply(
    { error: { code: '403', message: "Policy doesn't allow os_compute_api:servers:detail to be performed." } },
    403,
  ),
  throttled: reply({ error_code: 'APIGW.0308', error_msg: 'The throttling threshold has been reached' }, 429),
  answer(request, machines) {
    if (!isSignedForHuawei(request))
      return reply({ error_code: 'APIGW.0301', error_msg: 'Incorrect IAM authentication information' }, 401)
    if (request.host === 'iam.myhuaweicloud.com' && request.path === '/v3/auth/projects')
      return reply({
        projects: [
          { id: project, name: 'cn-north-4', enabled: true },
          { id: '0605767f9e80268b2f3dc0098f6f4bbb', name: 'MOS', enabled: true },
          { id: '0605767f9e80268b2f3dc0098f6f4ccc', name: 'cn-south-1', enabled: false },
        ],
        links: { next: null, previous: null, self: 'https://iam.myhuaweicloud.com/v3/auth/projects' },
      })
    if (
      request.host !== 'ecs.cn-north-4.myhuaweicloud.com' ||
      request.path !== `/v1.1/${project}/cloudservers/detail` ||
      request.headers['x-project-id'] !== project
    )
      return reply({ error_code: 'APIGW.0101', error_msg: 'The API does not exist' }, 404)
    return serversAfter(request.query, machines, {
      most: 100,
      more: ({ isWindows }) => ({ metadata: { os_type: isWindows ? 'Windows' : 'Linux' } }),
    })
  },
}
