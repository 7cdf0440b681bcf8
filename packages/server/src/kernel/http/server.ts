import type { Server } from 'node:http'
import { chooseLanguage } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import type { TrustedProxies } from '@castellan/ingress/proxies'
import { httpsOnly, tlsOptions } from '@castellan/ingress/tls'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import { statementCount, withStatementCount } from '../../db/statements.ts'
import { formBody } from '../fields/form.ts'
import type { TableFormat } from '../files/table-files.ts'
import { Context, type Services } from '../module/context.ts'
import {
  ApiError,
  badRequest,
  failure,
  methodNotAllowed,
  notAcceptable,
  parseError,
  permissionDenied,
  text,
} from '../module/errors.ts'
import { fieldsInfo, type Info, optionsBody, parses, renders, resourceInfo } from '../resource/metadata.ts'
import type { Resource } from '../resource/resource.ts'
import { rowBySegment } from '../resource/resource-routes.ts'
import { demand, demandAccess } from '../security/permission.ts'
import { clientAddress, isForOneHost } from './client-address.ts'
import type { CookieJar, Identity } from './identity.ts'
import { acceptable, admits, fileAskedFor, isFormat } from './negotiation.ts'
import { demandBoundedQuery } from './query-bounds.ts'
import {
  bodyLimit,
  knownFailure,
  sendFailure,
  sendNoSuchPage,
  sendOutagePage,
  sendReply,
  uploadLimit,
} from './replies.ts'
import { answerLanguage, partsOf, requestLanguage, requestZone } from './request.ts'
import {
  Afterwards,
  type Method,
  methodsOfRoutes,
  Reply,
  type RequestParts,
  type Route,
  UploadedBytes,
} from './route.ts'
import { keepBytes } from './sent-body.ts'
import { demandSoundQuery, soundJson, soundPairs } from './sound-text.ts'
import { answerUnreadable, refuseConnect } from './unreadable.ts'

export interface HttpOptions {
  services: Services
  identity: Identity
  routes: readonly Route[]
  /** The resource that answers OPTIONS of a path. */
  resources: ReadonlyMap<string, Resource>
  log: Logger
  trustedProxies: TrustedProxies
  tls?: { cert: Buffer; key: Buffer } | undefined
}

/** How long a client may take to send the head of a request, and how often this is checked. Milliseconds. */
const headersTime = 60_000
const lookEvery = 1000
const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

type ByMethod = Map<Method, Route>

/** Routes by path. Throws when two routes have the same method and path. */
function byPath(routes: readonly Route[]): Map<string, ByMethod> {
  const table = new Map<string, ByMethod>()
  for (const route of routes) {
    const methods = table.get(route.path) ?? new Map()
    for (const method of [route.method].flat()) {
      if (methods.has(method)) throw new Error(`${method} ${route.path} is declared twice.`)
      methods.set(method, route)
    }
    table.set(route.path, methods)
  }
  return table
}

/** The HTTP interface of the API: one dispatcher that every route passes through. */
export async function httpServer(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.isEmpty ? false : (address: string) => options.trustedProxies.has(address),
    bodyLimit,
    // A URL that cannot be decoded, or has too long a segment, gets the 404 of an unknown URL.
    frameworkErrors: (_error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      commonHeaders(reply)
      return sendUnknownAddress(request, reply)
    },
    clientErrorHandler: answerUnreadable,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    ...(options.tls
      ? { https: { ...options.tls, ...tlsOptions, connectionsCheckingInterval: lookEvery } }
      : { http: { connectionsCheckingInterval: lookEvery } }),
  } as object) as unknown as FastifyInstance
  // Bodies may take as long as a large file needs; the head of a request has a time limit.
  ;(app.server as Server).headersTimeout = headersTime
  app.server.on('connect', refuseConnect)
  await app.register(cookie)
  acceptBodies(app)
  // Routes read the parts of a form as a stream.
  await app.register(multipart, { limits: { fileSize: uploadLimit, files: 10 } })

  const { countsStatements } = options.services.config
  const counted = countsStatements ? withStatementCount : <T>(work: () => T) => work()
  if (countsStatements)
    app.addHook('onSend', async (_request, reply) => {
      const count = statementCount()
      if (count !== undefined) reply.header('x-jms-sql-count', count)
    })
  const table = byPath(options.routes)
  for (const [path, methods] of table) {
    const multi = [...methods.values()].find((route) => route.bodyLimit)
    app.route({
      method: [...methodsOfRoutes, 'OPTIONS'],
      url: path,
      ...(multi?.bodyLimit ? { bodyLimit: multi.bodyLimit } : {}),
      handler: (request, reply) => counted(() => dispatch(options, path, methods, request, reply)),
    })
  }
  app.setErrorHandler((error, request, reply) => fail(options, error, request, reply))
  const addresses = [...table].map(([path, methods]) => ({
    path,
    methods,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }))
  const addressOf = (request: FastifyRequest) => clientAddress(options.trustedProxies, request.raw)
  const answerUnrouted = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? ''
    const known = addresses.find(({ pattern }) => pattern.test(path))
    if (known) return dispatch(options, known.path, known.methods, request, reply)
    commonHeaders(reply)
    const parts = partsOf(request)
    const jar = cookieJar(reply, request.protocol === 'https')
    await options.identity.finish(blankContext(options.services, parts, addressOf(request)), parts, jar)
    const query = request.url.slice(path.length)
    if (!path.endsWith('/') && addresses.some(({ pattern }) => pattern.test(`${path}/`)))
      return reply.code(301).header('location', `${path}/${query}`).send()
    return sendUnknownAddress(request, reply)
  }
  app.setNotFoundHandler(answerUnrouted)
  const served = new Set<string>([...methodsOfRoutes, 'HEAD', 'OPTIONS'])
  // Rejects a method that no route has, such as QUERY, before a body is expected.
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') reply.header('strict-transport-security', httpsOnly)
    if (!isForOneHost(request.raw, request.host ?? '')) throw parseError()
    if (!served.has(request.method)) await answerUnrouted(request, reply)
  })
  return app
}

/** 404: JSON below `/api/` and for clients that send JSON, else a page. */
function sendUnknownAddress(request: FastifyRequest, reply: FastifyReply): unknown {
  const { headers, cookies } = request
  const isApi = /^\/api([/?]|$)/.test(request.url)
  const json = isApi || (headers['content-type'] ?? '').startsWith('application/json')
  // Fastify has not parsed the cookies of a URL that it cannot decode.
  return sendNoSuchPage(reply, json, chooseLanguage(cookies?.django_language, headers['accept-language']))
}

/** JSON and forms are parsed here; other bodies are passed to the route as bytes. */
function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const reading =
    (read: (bytes: Buffer) => unknown) =>
    (request: FastifyRequest, body: string | Buffer, done: (error: Error | null, body?: unknown) => void) => {
      keepBytes(request.raw, body as Buffer)
      let value: unknown
      try {
        value = body.length === 0 ? undefined : read(body as Buffer)
      } catch (error) {
        return done(error instanceof ApiError ? error : parseError())
      }
      done(null, value)
    }
  const parseAs = 'buffer'
  app.addContentTypeParser('application/json', { parseAs }, reading(soundJson))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs },
    reading((bytes) => formBody(soundPairs(bytes.toString('latin1')))),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    keepBytes(request.raw, body as Buffer)
    done(null, body)
  })
}

/** Headers of every response. */
function commonHeaders(reply: FastifyReply): void {
  reply
    .header('cache-control', 'no-store')
    .header('vary', 'accept-language, cookie')
    .header('x-content-type-options', 'nosniff')
    .header('x-frame-options', 'DENY')
}

function cookieJar(reply: FastifyReply, secure: boolean): CookieJar {
  return {
    set: (name, value, { maxAge, httpOnly, sameSite } = {}) => {
      reply.setCookie(name, value, {
        path: '/',
        secure,
        // Our cookie values contain only characters a cookie may hold; if they were percent-encoded, clients that are
        // not browsers would send them back changed.
        encode: String,
        ...(maxAge === undefined ? {} : { maxAge }),
        ...(httpOnly ? { httpOnly } : {}),
        ...(sameSite ? { sameSite } : {}),
      })
    },
    clear: (name) => {
      reply.setCookie(name, '', { path: '/', maxAge: 0 })
    },
  }
}

/** The context of a request before its sender is identified. */
export function blankContext(services: Services, parts: RequestParts, ip: string): Context {
  return new Context({
    services,
    db: services.database.reader,
    orgId: '',
    language: requestLanguage(parts),
    zone: requestZone(parts),
    ip,
    userAgent: parts.headers['user-agent'] ?? '',
  })
}

/** Identifies the sender of a request, its organization and permissions. */
export async function identified(
  services: Services,
  identity: Identity,
  parts: RequestParts,
  ip: string,
): Promise<Context> {
  const blank = blankContext(services, parts, ip)
  const proof = await identity.prove(blank, parts)
  const wanted =
    parts.query.oid || parts.headers['x-jms-org'] || parts.cookies['X-JMS-ORG'] || proof.session?.get<string>('oid')
  const asked = await identity.resolveOrg(blank, wanted)
  const place = proof.caller && (await services.placeOf(blank, proof.caller, asked, Boolean(wanted)))
  return new Context({
    services,
    db: services.database.reader,
    orgId: place?.orgId ?? asked,
    caller: proof.caller,
    credential: proof.credential,
    session: proof.session,
    language: blank.language,
    zone: blank.zone,
    ip,
    userAgent: blank.userAgent,
    ...(place ? { permissions: place.codes, isOutsider: place.isOutsider } : {}),
  })
}

async function dispatch(
  options: HttpOptions,
  path: string,
  methods: ByMethod,
  raw: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { services, identity } = options
  const parts = partsOf(raw)
  const ip = clientAddress(options.trustedProxies, raw.raw)
  const route = methods.get(parts.method) ?? (raw.method === 'HEAD' ? methods.get('GET') : undefined)
  const cookies = cookieJar(reply, raw.protocol === 'https')
  commonHeaders(reply)
  const isAvailable = methods.values().next().value?.isAvailable
  if (isAvailable && !isAvailable(services)) return sendUnknownAddress(raw, reply)
  let ctx: Context | undefined
  try {
    if (path.startsWith('/api/')) {
      demandSoundQuery(raw.url)
      demandBoundedQuery(parts.query)
    }
    ctx = await identified(services, identity, parts, ip)
    reply.header('content-language', answerLanguage(parts))
    const result = await answer(options, path, methods, route, ctx, parts)
    await identity.finish(ctx, parts, cookies)
    return sendReply(reply, result)
  } catch (error) {
    await identity
      .finish(ctx ?? blankContext(services, parts, ip), parts, cookies)
      .catch((failed) => options.log.error(failed))
    const file = options.resources.has(path) ? fileAskedFor(parts.query.format, parts.headers.accept) : undefined
    return fail(options, error, raw, reply, file)
  }
}

/**
 * Content negotiation comes before all other checks. Public routes, such as health, answer whatever the Accept header
 * says.
 */
function negotiate(
  path: string,
  route: Route | undefined,
  { headers: { accept }, query: { format } }: RequestParts,
): void {
  if (route?.answers) {
    if (!admits(accept, route.answers)) throw notAcceptable(route.answers[0])
    return
  }
  const isOpen = route?.requires === 'public' && [route.method].flat().includes('GET')
  if (!path.startsWith('/api/v1/') || isOpen || route?.mediaType) return
  if (format && !isFormat(format)) throw failure(404, 'object_does_not_exist', text(errors.not_acceptable))
  if (!acceptable(accept)) throw notAcceptable()
}

const inOrganizationOf = (route: Route | undefined, ctx: Context): Context =>
  route?.organization ? ctx.inOrg(route.organization) : ctx

async function answer(
  options: HttpOptions,
  path: string,
  methods: ByMethod,
  route: Route | undefined,
  ctx: Context,
  parts: RequestParts,
): Promise<unknown> {
  negotiate(path, route, parts)
  if ((parts.method as string) === 'OPTIONS')
    return describe(options, path, methods, inOrganizationOf(methods.values().next().value, ctx), parts)
  if (!route) {
    const some = methods.values().next().value
    if (some && some.requires !== 'public') demand(ctx, 'authenticated')
    demandCommonConfirmation(options, methods, ctx)
    throw some?.refusesOthers ? permissionDenied() : methodNotAllowed(parts.method, [...methods.keys()])
  }
  demandAccess(ctx, route)
  if (unsafe.has(parts.method) && ctx.credential === 'session' && ctx.caller && !route.csrfExempt)
    options.identity.checkCsrf(ctx, parts)
  if (route.confirm) options.identity.demandConfirmation(ctx, route.confirm)
  // Programs that look at links, such as mail filters, must not use them up.
  if (route.acts && (parts.method as string) === 'HEAD') return new Reply(200, '')
  const request = await withForm(route, parts)
  const writes = (route.transaction ?? (unsafe.has(parts.method) ? 'write' : 'none')) === 'write'
  let used = ctx
  const handle = async (inside: Context): Promise<unknown> => {
    used = inside
    return route.handle({ ctx: inside, request })
  }
  const place = inOrganizationOf(route, ctx)
  const result = await (writes ? place.transaction(handle) : handle(place))
  return result instanceof Afterwards ? result.answer(used.outside()) : result
}

/** Reads a multipart form as a body, except for routes that stream its files. */
async function withForm(route: Route, parts: RequestParts): Promise<RequestParts> {
  if (route.multipart || parts.contentType !== 'multipart/form-data') return parts
  const pairs: [string, string][] = []
  const files: Record<string, UploadedBytes> = {}
  let room = route.formFiles ?? 0
  for await (const part of parts.multipart())
    if ('value' in part) pairs.push([part.field, part.value])
    else if (route.formFiles) {
      const pieces: Buffer[] = []
      for await (const piece of part.stream as AsyncIterable<Buffer>) {
        room -= piece.length
        if (room >= 0) pieces.push(piece)
      }
      if (room < 0) throw tooLarge(route.formFiles)
      files[part.field] = new UploadedBytes(part.name, Buffer.concat(pieces))
    } else part.stream.resume()
  return { ...parts, body: { ...formBody(pairs), ...files } }
}

const tooLarge = (limit: number) => badRequest(text(errors.upload_too_large, { max: Math.floor(limit / 1_048_576) }))

/** Whether the row of a detail exists for the caller and may be changed. */
async function isChangeable(ctx: Context, resource: Resource, segment: string): Promise<boolean> {
  try {
    const row = await rowBySegment(ctx, resource, segment)
    await resource.guard?.(ctx, row, 'update')
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Where every method needs a confirmation, so does any other question: 412 comes before 405 and OPTIONS. */
function demandCommonConfirmation(options: HttpOptions, methods: ByMethod, ctx: Context): void {
  const levels = [...methods.values()].map((route) => route.confirm)
  if (levels[0] && levels.every(Boolean)) options.identity.demandConfirmation(ctx, levels[0])
}

/** Whether rows are created by a call: the actions of a collection that is only read are told like its list. */
const isWritten = ({ routes }: HttpOptions, { url, describesToo }: Resource): boolean =>
  (describesToo?.includes('POST') ?? false) ||
  routes.some((route) => route.path === url && [route.method].flat().includes('POST'))

async function describe(
  options: HttpOptions,
  path: string,
  methods: ByMethod,
  ctx: Context,
  parts: RequestParts,
): Promise<Info> {
  const open = [...methods.values()].every((route) => route.requires === 'public')
  if (!open) demand(ctx, 'authenticated')
  demandCommonConfirmation(options, methods, ctx)
  if ([...methods.values()].some((route) => route.withoutOptions))
    throw methodNotAllowed('OPTIONS', [...methods.keys()])
  const resource = options.resources.get(path)
  if (resource) {
    const { id } = parts.params
    const isAction = path.endsWith('/suggestions/')
    const params = { ...parts.query, ...(id === undefined ? {} : { pk: id }), ...(isAction ? { told: 'action' } : {}) }
    const known = (await resource.describing?.(ctx, params)) ?? params
    const lasting = id === undefined || (await isChangeable(ctx, resource, id))
    const refused = (id === undefined ? resource.describesToo : resource.describesRowsToo) ?? []
    const methodNames = [...[...methods.keys()].filter((method) => lasting || method !== 'PUT'), ...refused]
    const lists = (resource.verbs?.includes('list') ?? false) || (methods.get('GET')?.listed ?? false)
    const listed = lists && !isAction
    return optionsBody(ctx, resource, methodNames, listed, known)
  }
  const actions: Info = {}
  for (const [method, route] of methods) {
    const described = route.describes ? options.resources.get(route.describes) : undefined
    const declared = typeof route.fields === 'function' ? route.fields(ctx, parts) : route.fields
    const fields = declared?.[method]
    const listed = method === 'GET' && (route.listed ?? false)
    if (described && method !== 'DELETE') {
      const as = isWritten(options, described) ? method : 'GET'
      const params = { ...parts.query, told: 'action' }
      const info = resourceInfo(ctx, described, as, listed || as !== method, undefined, params)
      for (const [name, facts] of Object.entries(route.described ?? {})) Object.assign(info[name] ?? {}, facts)
      actions[method] = info
    } else if (fields) actions[method] = fieldsInfo(ctx, path.split('/')[3] ?? '', fields, listed, parts.query)
  }
  return { name: path, description: '', renders, parses, actions }
}

function fail(
  options: HttpOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  file?: TableFormat,
): unknown {
  const language = requestLanguage(partsOf(request))
  const known = knownFailure(error)
  const facts = { err: error, method: request.method, path: request.url.split('?')[0], request: request.id }
  if (known && known.status >= 500) options.log.error(facts, 'service unavailable')
  const isPage = request.method === 'GET' && !request.url.startsWith('/api/')
  if (known?.status === 503 && isPage && request.headers.accept?.includes('text/html'))
    return sendOutagePage(reply, known, language)
  if (known) return sendFailure(reply, known, language, file)
  options.log.error(facts, 'unexpected error')
  return sendFailure(reply, failure(500, 'error', text(errors.server_error, { request: request.id })), language)
}
