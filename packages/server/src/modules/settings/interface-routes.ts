import { interfaceMessages as texts, themeLabels } from '@castellan/contract/messages/settings-interface'
import { type Field, rawChoice, text as textField } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute, type RequestParts } from '../../kernel/http/route.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, type Problem, render, text } from '../../kernel/module/errors.ts'
import { readBody } from '../../kernel/resource/body.ts'
import { appearance, defaultInterface, type Interface } from './interface.ts'
import { dropPictures, type Picture, pictureOf, sentBytes, storePicture } from './picture.ts'
import { admitAlteredSettings } from './settings-log.ts'

const url = '/api/v1/xpack/interface/setting/'
const requires = 'settings.change_interface' as const

/** Colors of the themes by the names of their custom properties. The first one is built in. */
const themes: Readonly<Record<keyof typeof themeLabels, Readonly<Record<string, string>>>> = {
  classic_green: {},
  ocean_blue: { '--color-primary': '#1677ff', '--banner-bg': '#0f4c9c', '--menu-text-active': '#1677ff' },
  deep_purple: { '--color-primary': '#6d3fc0', '--banner-bg': '#452a80', '--menu-text-active': '#6d3fc0' },
  warm_red: { '--color-primary': '#c0392b', '--banner-bg': '#8e2a20', '--menu-text-active': '#c0392b' },
}

const pictures = ['logo_index', 'logo_logout', 'favicon', 'login_image'] as const
type PictureName = (typeof pictures)[number]

const texted = {
  login_title: textField({ max: 128, printable: true, resets: false }) as Field,
  theme: rawChoice(themeLabels, { resets: false }) as Field,
}
const pictureField = { ...textField(), type: 'image upload' as const } as Field

/** The address belongs to another app, whose texts do not name these fields. */
const labelled = (name: PictureName | keyof typeof texted, field: Field): Field => ({
  ...field,
  meta: (ctx, params) => ({ ...field.meta?.(ctx, params), label: texts[name][ctx.language] }),
})
const fields: Record<string, Field> = {
  login_title: labelled('login_title', texted.login_title),
  theme: labelled('theme', texted.theme),
  ...Object.fromEntries(pictures.map((name) => [name, labelled(name, pictureField)])),
}

function shownOf(changed: Partial<Interface>) {
  const { login_title, theme, login_image, favicon, logo_index, logo_logout } = { ...defaultInterface, ...changed }
  return { login_title, theme, login_image, favicon, logo_index, logo_logout }
}

/** What was sent: texts, and files. A picture that is sent as its address is unchanged. */
async function sentIn(request: RequestParts): Promise<{ values: Record<string, unknown>; files: Map<string, Buffer> }> {
  const files = new Map<string, Buffer>()
  if (!request.contentType.startsWith('multipart/')) return { values: objectOf(request.body), files }
  const values: Record<string, unknown> = {}
  for await (const part of request.multipart()) {
    if ('value' in part) values[part.field] = part.value
    else if ((pictures as readonly string[]).includes(part.field)) files.set(part.field, await sentBytes(part.stream))
    else part.stream.resume()
  }
  return { values, files }
}

async function store(ctx: Context, INTERFACE: Partial<Interface>): Promise<void> {
  await admitAlteredSettings(ctx, [appearance.settings.INTERFACE], { INTERFACE })
  await appearance.store(ctx, { INTERFACE })
  // The answer is followed by pages that show it; other programs follow by the event.
  ctx.afterCommit(() => ctx.services.settings.load())
  await dropPictures(
    ctx,
    pictures,
    pictures.flatMap((name) => INTERFACE[name] || []),
  )
}

async function change(ctx: Context, request: RequestParts): Promise<Partial<Interface>> {
  const { values, files } = await sentIn(request)
  const problems: Record<string, Problem> = {}
  const accepted = new Map<PictureName, Picture>()
  for (const [name, bytes] of files) {
    const found = pictureOf(bytes)
    if (typeof found === 'object' && 'bytes' in found) accepted.set(name as PictureName, found)
    else problems[name] = [found]
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
  const sent = readBody<{ login_title?: string; theme?: keyof typeof themes }>(ctx, texted, values)
  return ctx.transaction(async (inside) => {
    const next: Partial<Interface> = { ...appearance.of(inside).INTERFACE }
    if (sent.login_title) next.login_title = sent.login_title
    if (sent.theme) {
      next.theme = sent.theme
      next.theme_info = { name: sent.theme, colors: themes[sent.theme] }
    }
    for (const [name, picture] of accepted) next[name] = await storePicture(inside, name, picture)
    await store(inside, next)
    return next
  })
}

export const interfaceRoutes = [
  defineRoute({
    method: 'GET',
    path: url,
    requires,
    summary: 'Title, theme and pictures of the product',
    fields: { GET: fields },
    handle: ({ ctx }) => shownOf(appearance.of(ctx).INTERFACE),
  }),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    defineRoute({
      method,
      path: url,
      requires,
      summary: 'Change title, theme and pictures',
      multipart: true,
      // A file is read before anything is stored.
      transaction: 'none',
      fields: { PUT: fields, PATCH: fields },
      handle: async ({ ctx, request }) => shownOf(await change(ctx, request)),
    }),
  ),
  defineRoute({
    method: 'GET',
    path: `${url}themes/`,
    requires,
    summary: 'The themes with their colors',
    handle: () => Object.entries(themes).map(([name, colors]) => ({ name, colors })),
  }),
  defineRoute({
    method: 'PUT',
    path: `${url}restore/`,
    requires,
    summary: 'Reset title, theme and pictures',
    async handle({ ctx }) {
      await store(ctx, {})
      return { success: render(text(texts.restored), ctx.language) }
    },
  }),
]
