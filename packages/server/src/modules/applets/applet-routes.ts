import { type Field, text } from '../../kernel/fields/index.ts'
import { defineRoute, Reply } from '../../kernel/http/route.ts'
import { notFound } from '../../kernel/module/errors.ts'
import { nameOf } from '../../kernel/module/texts.ts'
import { rowBySegment } from '../../kernel/resource/resource-routes.ts'
import { applet } from './applet.ts'
import { packageReply } from './package/package-files.ts'
import { upload } from './package/upload.ts'

const fileField = { file: { ...text({ required: true }), type: 'file upload' as Field['type'] } as Field }

export const appletRoutes = [
  defineRoute({
    method: 'POST',
    path: `${applet.url}upload/`,
    requires: 'terminal.add_applet',
    summary: 'Install an application from its package, or update it',
    statuses: [201, 413],
    multipart: true,
    // Checking a package takes longer than a transaction may.
    transaction: 'none',
    fields: { POST: fileField },
    handle: upload,
  }),
  defineRoute({
    method: 'GET',
    path: `${applet.url}:id/download/`,
    requires: 'terminal.view_applet',
    summary: 'The package of an application',
    mediaType: 'application/zip',
    handle: async ({ ctx, request }) => packageReply(ctx, await rowBySegment(ctx, applet, request.params.id ?? '')),
  }),
  defineRoute({
    method: 'GET',
    path: '/media/applets/:name/:file',
    requires: 'valid',
    summary: 'The icon of an application',
    async handle({ ctx, request }) {
      const row = await rowBySegment(ctx, applet, request.params.name ?? '')
      if (request.params.file !== 'icon.png' || !row.icon_data) throw notFound(nameOf(applet))
      return new Reply(200, Buffer.from(row.icon_data, 'base64'), {
        'content-type': 'image/png',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=300',
      })
    },
  }),
]
