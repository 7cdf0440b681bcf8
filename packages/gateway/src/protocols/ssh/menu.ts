import { type Message, type Placeholders, say, withoutControls } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import { assetDetail, usableAccounts } from '../../brokering/asset-choice.ts'
import type { Broker } from '../../brokering/broker.ts'
import {
  type AssetList,
  assetList,
  favoriteList,
  type GrantedAsset,
  type GrantedNode,
  nodeTree,
  refined,
} from '../../brokering/catalog.ts'
import { refusalOf } from '../../brokering/session-denied.ts'
import type { User } from '../../brokering/user.ts'
import { chooseAndRun } from './choose.ts'
import type { Languages } from './languages.ts'
import { drawTable } from './table.ts'
import type { TerminalFace } from './terminal-face.ts'

interface Shown {
  list: AssetList
  offset: number
  size: number
  count: number
  rows: GrantedAsset[]
}

/** Rows of the screen outside of the table: title, rule, two lines of footer, prompt and margin. */
const rowsAround = 8
const everything = 1000

/** The menu of a user's assets: searching, listing, paging, connecting. */
export class Menu {
  private readonly broker: Broker
  private readonly user: User
  private readonly face: TerminalFace
  private readonly languages: Languages
  private shown: Shown | undefined
  private searched: AssetList | undefined
  private nodes: GrantedNode[] | undefined
  private prompt = 'Opt> '

  constructor(broker: Broker, user: User, face: TerminalFace, languages: Languages) {
    this.broker = broker
    this.user = user
    this.face = face
    this.languages = languages
  }

  /** Runs until the user leaves or the idle limit is reached. */
  async run(): Promise<void> {
    this.help()
    const watch = setInterval(() => this.checkIdle(), 5000)
    try {
      while (!this.face.isGone) {
        const answer = await this.face.read(this.prompt)
        if (answer.kind === 'end') return
        if (answer.kind === 'interrupt') continue
        if (/^(?:q|quit|exit)$/i.test(answer.text.trim())) return
        try {
          await this.obey(answer.text.trim())
        } catch (error) {
          this.face.line(`\u001b[31m${refusalOf(error).say(this.user.language)}\u001b[0m`)
        }
      }
    } finally {
      clearInterval(watch)
    }
  }

  private say(message: Message, values?: Placeholders): string {
    return say(message, this.user.language, values)
  }

  private checkIdle(): void {
    const minutes = this.broker.config().SECURITY_MAX_IDLE_TIME
    if (minutes <= 0 || performance.now() - this.face.lastInput < minutes * 60_000) return
    this.face.line(`\r\n${this.say(gatewayMessages.menuIdle, { minutes })}`)
    this.face.abort()
  }

  private async obey(text: string): Promise<void> {
    switch (text.toLowerCase()) {
      case '':
        return this.shown ? this.turn(1) : this.show(assetList(this.broker, this.user), 'Opt> ')
      case 'p':
        return this.show(assetList(this.broker, this.user), 'Opt> ')
      case 'h':
        return this.show(assetList(this.broker, this.user, { category: 'host' }), '[Host]> ')
      case 'f':
        return this.show(favoriteList(this.broker, this.user), 'Opt> ')
      case 'g':
        return this.showNodes()
      case 'n':
        return this.turn(1)
      case 'b':
        return this.turn(-1)
      case 'r':
        return this.refresh()
      case 's':
        this.user.language = this.languages.next(this.user.id, this.user.language)
        return this.help()
      case '?':
        return this.help()
      default:
        return this.other(text)
    }
  }

  private async other(text: string): Promise<void> {
    const node = /^g\s*(\d+)$/i.exec(text)
    if (node) return this.showNode(Number(node[1]))
    if (text.startsWith('//') && this.searched) return this.search(refined(this.searched, text.slice(2).trim()))
    if (text.startsWith('/')) return this.search(this.found(text.replace(/^\/+/, '').trim()))
    if (/^\d+$/.test(text) && this.shown) {
      const asset = this.shown.rows[Number(text) - 1 - this.shown.offset]
      if (asset) return this.connect(asset)
    }
    const list = this.found(text)
    const { results, count } = await list.page(0, 100)
    const exact = results.filter((asset) => asset.name === text || asset.address === text)
    if (count === 1 && results[0]) return this.connect(results[0])
    if (exact.length === 1 && exact[0]) return this.connect(exact[0])
    return this.search(list)
  }

  private found(search: string): AssetList {
    return assetList(this.broker, this.user, { search })
  }

  private search(list: AssetList): Promise<void> {
    this.searched = list
    return this.show(list, this.prompt)
  }

  private async show(list: AssetList, prompt: string): Promise<void> {
    this.prompt = prompt
    this.shown = { list, offset: 0, size: this.pageSize(), count: 0, rows: [] }
    await this.draw()
  }

  private pageSize(): number {
    const wanted = this.broker.config().TERMINAL_ASSET_LIST_PAGE_SIZE
    if (wanted === 'all') return everything
    return Number(wanted) || Math.max(5, this.face.rows - rowsAround)
  }

  private async turn(pages: number): Promise<void> {
    if (!this.shown) return this.show(assetList(this.broker, this.user), this.prompt)
    this.shown.size = this.pageSize()
    const next = this.shown.offset + pages * this.shown.size
    // The first page follows the last one.
    this.shown.offset = next >= this.shown.count ? 0 : Math.max(0, next)
    await this.draw()
  }

  private async draw(): Promise<void> {
    const { shown } = this
    if (!shown) return
    const { count, results } = await shown.list.page(shown.offset, shown.size)
    shown.count = count
    shown.rows = results
    if (count === 0) return this.face.line(this.say(gatewayMessages.listEmpty))
    const columns = [
      { title: this.say(gatewayMessages.columnId), weight: 0, least: 3 },
      { title: this.say(gatewayMessages.columnName), weight: 3, least: 10 },
      { title: this.say(gatewayMessages.columnAddress), weight: 2, least: 12 },
      { title: this.say(gatewayMessages.columnPlatform), weight: 1, least: 8 },
      { title: this.say(gatewayMessages.columnOrganization), weight: 1, least: 8 },
      { title: this.say(gatewayMessages.columnComment), weight: 2, least: 6 },
    ]
    const rows = results.map((asset, at) => [
      String(shown.offset + at + 1),
      asset.name,
      asset.address,
      asset.platform?.name ?? '',
      asset.org_name ?? '',
      asset.comment ?? '',
    ])
    for (const [at, line] of drawTable(columns, rows, this.face.cols).entries()) {
      const isInactive = at > 1 && results[at - 2]?.is_active === false
      this.face.line(isInactive ? `\u001b[2m${line}\u001b[0m` : line)
    }
    const pages = Math.max(1, Math.ceil(count / shown.size))
    const page = Math.floor(shown.offset / shown.size) + 1
    this.face.line(
      this.say(gatewayMessages.listFooter, { page, pages, size: Math.min(shown.size, count), total: count }),
    )
    this.face.line(this.say(gatewayMessages.listTips))
  }

  private async showNodes(): Promise<void> {
    this.nodes = await nodeTree(this.broker, this.user)
    if (this.nodes.length === 0) return this.face.line(this.say(gatewayMessages.listEmpty))
    const least = Math.min(...this.nodes.map((node) => node.key.split(':').length))
    for (const [at, node] of this.nodes.entries()) {
      const depth = node.key.split(':').length - least
      this.face.line(
        `${'  '.repeat(depth)}${at + 1}. ${withoutControls(node.value || node.name)} (${node.assets_amount})`,
      )
    }
  }

  private async showNode(number: number): Promise<void> {
    this.nodes ??= await nodeTree(this.broker, this.user)
    const node = this.nodes[number - 1]
    if (!node) return this.face.line(this.say(gatewayMessages.notAChoice))
    return this.show(assetList(this.broker, this.user, { node: node.id }), 'Opt> ')
  }

  private async refresh(): Promise<void> {
    this.nodes = undefined
    this.shown = undefined
    await this.broker.refreshConfig()
    this.face.line(this.say(gatewayMessages.refreshed))
  }

  private async connect(asset: GrantedAsset): Promise<void> {
    const detail = await assetDetail(this.broker, this.user, asset.id, asset.name)
    await chooseAndRun(this.broker, this.user, this.face, detail, { accounts: usableAccounts(detail) })
  }

  private help(): void {
    const title = this.broker.config().TERMINAL_HEADER_TITLE || this.say(gatewayMessages.menuTitle)
    this.shown = undefined
    this.face.line('')
    this.face.line(`  \u001b[1m${this.say(gatewayMessages.menuWelcome, { name: this.user.name, title })}\u001b[0m`)
    this.face.line('')
    const lines = [
      gatewayMessages.helpText,
      gatewayMessages.helpNumber,
      gatewayMessages.helpSlash,
      gatewayMessages.helpAll,
      gatewayMessages.helpHosts,
      gatewayMessages.helpFavorites,
      gatewayMessages.helpNodes,
      gatewayMessages.helpPages,
      gatewayMessages.helpRefresh,
      gatewayMessages.helpLanguage,
      gatewayMessages.helpHelp,
      gatewayMessages.helpQuit,
    ]
    for (const [at, line] of lines.entries()) this.face.line(`  ${String(at + 1).padStart(2)}) ${this.say(line)}`)
    this.face.line('')
  }
}
